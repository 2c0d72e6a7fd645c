// The draws of a lesson: a generator, the scores of sums, and one resample or data set at a time. Nothing here touches the page.
const sigboardDraws = (() => {
  const mixed = (value) => {
    let t = (value + 0x9e3779b9) | 0;
    t = Math.imul(t ^ (t >>> 16), 0x21f0aaad);
    t = Math.imul(t ^ (t >>> 15), 0x735a2d97);
    return (t ^ (t >>> 15)) >>> 0;
  };

  // whole numbers below 2^32 from the generator sfc32; every draw has its own, so draw k does not depend on those before it
  const generator = (seed, stream, k) => {
    let a = mixed(seed), b = mixed(a ^ stream), c = mixed(b ^ k), count = 1;
    const next = () => {
      const out = (a + b + count) | 0;
      count = (count + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + out) | 0;
      return out >>> 0;
    };
    for (let i = 0; i < 15; i++) next();
    return next;
  };
  const share = (next) => next() / 4294967296; // in [0, 1)
  const below = (next, n) => Math.floor(share(next) * n);

  // 1 where a unit is exchanged: 32 coins from each number
  const coins = (next, n) => {
    const mask = new Uint8Array(n);
    for (let i = 0, bits = 0; i < n; i++) {
      if (i % 32 === 0) bits = next();
      mask[i] = (bits >>> i % 32) & 1;
    }
    return mask;
  };
  // how often each of n units is drawn if `size` are drawn with replacement
  const counts = (next, n, size) => {
    const times = new Uint16Array(n);
    for (let i = 0; i < size; i++) times[below(next, n)]++;
    return times;
  };

  const penalty = (length, reference) => Math.exp(Math.min(0, length > 0 ? 1 - reference / length : reference > 0 ? -Infinity : 0));
  const bleu = ({ order, smooth, value, effective }) => (s) => {
    let logs = 0, used = effective ? 1 : order, halving = 1, some = false;
    for (let k = 0; k < order; k++) {
      const add = smooth === "add-k" && k > 0 ? value : 0;
      const match = s[2 + k] + add, total = s[2 + order + k] + add;
      some ||= s[2 + k] > 0;
      if (!(total > 0)) {
        if (!effective) return 0; // an order without n-grams ends the product
        break;
      }
      let precision = (100 * match) / total;
      if (match === 0 && smooth === "exp") precision = 100 / ((halving *= 2) * total);
      if (match === 0 && smooth === "floor") precision = (100 * value) / total;
      logs += precision > 0 ? Math.log(precision) : -Infinity;
      if (effective) used = k + 1;
    }
    return some ? penalty(s[0], s[1]) * Math.exp(logs / used) : 0;
  };
  const chrf = ({ beta }) => (s) => {
    let precision = 0, recall = 0, used = 0;
    for (let k = 0; k < s.length; k += 3) {
      if (!(s[k] > 0 && s[k + 1] > 0)) continue;
      precision += s[k + 2] / s[k];
      recall += s[k + 2] / s[k + 1];
      used++;
    }
    [precision, recall] = [precision / Math.max(used, 1), recall / Math.max(used, 1)];
    const factor = beta * beta, under = factor * precision + recall;
    return under > 0 ? (100 * (1 + factor) * precision * recall) / under : 0;
  };
  const ratio = ({ scale }) => (s) => (s[1] > 0 ? (scale * s[0]) / s[1] : NaN);
  const SCORES = { bleu, chrf, ratio };

  // The statistics of two systems, one row of k numbers for each of n units, and gains of any sums of them.
  class Pair {
    constructor({ n, k, one, two, formula, lower, unit, gain }) {
      Object.assign(this, { n, k, unit, gain, one: Float64Array.from(one), two: Float64Array.from(two) });
      this.score = SCORES[formula.kind](formula);
      this.sign = lower ? -1 : 1;
      this.totals = [this.one, this.two].map((values) => {
        const sum = new Float64Array(k);
        for (let i = 0; i < values.length; i++) sum[i % k] += values[i];
        return sum;
      });
      this.different = this.two.map((value, i) => value - this.one[i]);
    }
    scores(first, second) {
      const [a, b] = [this.score(first), this.score(second)];
      return { scores: [a, b], gain: this.sign * (a - b) };
    }
    // the two pseudo-systems after the units of the mask have changed places
    swapped(mask) {
      const { k, different, totals: [one, two] } = this;
      const moved = new Float64Array(k);
      for (let i = 0; i < mask.length; i++) if (mask[i]) for (let j = 0, at = i * k; j < k; j++) moved[j] += different[at + j];
      return this.scores(one.map((value, j) => value + moved[j]), two.map((value, j) => value - moved[j]));
    }
    // both systems on units that were drawn so often; `others`: the second system has its own draw
    drawn(times, others = times) {
      const { k } = this, a = new Float64Array(k), b = new Float64Array(k);
      for (let i = 0, at = 0; i < times.length; i++, at += k) {
        if (times[i]) for (let j = 0; j < k; j++) a[j] += times[i] * this.one[at + j];
        if (others[i]) for (let j = 0; j < k; j++) b[j] += others[i] * this.two[at + j];
      }
      return this.scores(a, b);
    }
    // `size` units drawn with replacement; a share of the true gain is kept: 1 all of it, 0 none (a fair coin for each unit)
    world(next, size, kept) {
      const { k } = this, one = new Float64Array(size * k), two = new Float64Array(size * k);
      for (let i = 0; i < size; i++) {
        const from = below(next, this.n) * k;
        const [a, b] = share(next) < (1 - kept) / 2 ? [this.two, this.one] : [this.one, this.two];
        for (let j = 0; j < k; j++) [one[i * k + j], two[i * k + j]] = [a[from + j], b[from + j]];
      }
      const made = Object.create(Pair.prototype);
      Object.assign(made, { n: size, k, unit: this.unit, one, two, score: this.score, sign: this.sign });
      made.different = two.map((value, i) => value - one[i]);
      made.totals = [one, two].map((values) => {
        const sum = new Float64Array(k);
        for (let i = 0; i < values.length; i++) sum[i % k] += values[i];
        return sum;
      });
      made.gain = made.scores(...made.totals).gain;
      return made;
    }
  }

  const EXACT = 1e-11; // a pseudo-statistic so near to the cut-off equals it, relative to the units' own differences
  const slack = (cut, unit) => EXACT * Math.max(unit, Math.abs(cut));
  const reaches = (value, cut, unit) => !(value < cut - slack(cut, unit)); // what is undefined counts
  const pOf = (count, drawn) => (count + 1) / (drawn + 1);
  const mean = (values) => {
    const defined = values.filter(Number.isFinite);
    return defined.reduce((sum, value) => sum + value, 0) / defined.length;
  };

  // The gains of R resamples of a data set under a kind of draw.
  const resampled = (pair, next, { kind, ratio: part = 1, paired = true }, R) => {
    const size = Math.max(1, Math.round(part * pair.n)), gains = new Float64Array(R);
    for (let r = 0; r < R; r++) {
      const one = kind === "swap" ? coins(next, pair.n) : counts(next, pair.n, size);
      const other = kind === "swap" || paired ? one : counts(next, pair.n, size);
      gains[r] = (kind === "swap" ? pair.swapped(one) : pair.drawn(one, other)).gain;
    }
    return gains;
  };
  // p of a gain under a rule for counting; see Rule in sigcore/studies/learn/rates.py, where the rules are described
  const ruled = (rule, gain, gains, unit) => {
    const folded = rule.slip && rule.kind === "bootstrap" && !rule.one_sided;
    const sizes = folded ? gains.map(Math.abs) : gains;
    const centre = rule.kind === "bootstrap" ? mean(sizes) : 0;
    const cut = rule.one_sided ? gain : Math.abs(gain);
    let count = 0;
    for (const value of sizes) {
      const moved = value - centre, own = rule.one_sided || folded ? moved : Math.abs(moved);
      if (rule.strict ? !(own <= cut + slack(cut, unit)) : reaches(own, cut, unit)) count++;
    }
    return rule.plus_one ? pOf(count, gains.length) : count / gains.length;
  };

  // p of a fair coin that fell on one side `heads` times of n, two-sided
  const coinP = (heads, n) => {
    const most = Math.min(heads, n - heads);
    let sum = 0, log = -n * Math.LN2; // of P(k heads): 2^-n itself is 0 for large n
    for (let k = 0; k <= most; k++) {
      sum += Math.exp(log);
      log += Math.log((n - k) / (k + 1));
    }
    return Math.min(1, 2 * sum);
  };

  const quantile = (sorted, q) => {
    const at = q * (sorted.length - 1), low = Math.floor(at);
    return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
  };

  const STREAMS = { swap: 1, bootstrap: 2, world: 3, interval: 4, exam: 5, judge: 6, table: 7 };
  const SWAP = { kind: "swap", plus_one: true };

  // What one press draws, for each kind of lesson: (data, settings) -> (seed, k) -> {values, ...}; `values` has one number for
  // each panel. `weights` are the units that changed places, or how often each was drawn.
  const KINDS = {
    swap: ({ pair }) => {
      const own = new Pair(pair);
      return (seed, k) => {
        const weights = coins(generator(seed, STREAMS.swap, k), own.n), { gain, scores } = own.swapped(weights);
        return { values: [gain], gain, scores, weights };
      };
    },
    bootstrap: ({ pair }) => {
      const own = new Pair(pair);
      return (seed, k) => {
        const weights = counts(generator(seed, STREAMS.bootstrap, k), own.n, own.n), { gain, scores } = own.drawn(weights);
        return { values: [gain], gain, scores, weights };
      };
    },
    three: (data) => {
      const [swap, draw] = [KINDS.swap(data), KINDS.bootstrap(data)];
      return (seed, k) => {
        const [one, other] = [swap(seed, k), draw(seed, k)];
        return { ...one, values: [one.gain, other.gain, other.gain] };
      };
    },
    tail: ({ pair, rule, size }) => {
      const own = new Pair(pair), sound = { ...SWAP, kind: rule.kind };
      const same = (rule.ratio ?? 1) === 1 && rule.paired !== false;
      return (seed, k) => {
        const next = generator(seed, STREAMS.world, k), world = own.world(next, size.units, 0);
        const gains = resampled(world, next, rule, size.resamples);
        const usual = same ? gains : resampled(world, next, sound, size.resamples);
        const values = [ruled(rule, world.gain, gains, own.unit), ruled(sound, world.gain, usual, own.unit)];
        return { values, gain: world.gain };
      };
    },
    factory: ({ pair, resamples, kept: fixed }, { units, kept = fixed }) => {
      const own = new Pair(pair);
      return (seed, k) => {
        const next = generator(seed, STREAMS.world, k), world = own.world(next, units, kept / 100);
        return { values: [ruled(SWAP, world.gain, resampled(world, next, SWAP, resamples), own.unit)], gain: world.gain };
      };
    },
    intervals: ({ pair, resamples }, { units }) => {
      const own = new Pair(pair);
      return (seed, k) => {
        const next = generator(seed, STREAMS.interval, k), world = own.world(next, units, 1);
        const gains = resampled(world, next, { kind: "bootstrap" }, resamples).filter(Number.isFinite).sort();
        const ends = [quantile(gains, 0.025), quantile(gains, 0.975)];
        return { values: [world.gain], gain: world.gain, ends, holds: ends[0] <= own.gain && own.gain <= ends[1] };
      };
    },
    // two systems that are equally good: for each question both chances of a right answer are drawn alike
    exam: ({ resamples }, { questions, runs }) => (seed, k) => {
      const next = generator(seed, STREAMS.exam, k), sums = new Float64Array(questions);
      let [only, other, total] = [0, 0, 0];
      for (let i = 0; i < questions; i++) {
        const [a, b] = [share(next), share(next)];
        for (let r = 0; r < runs; r++) {
          const [first, second] = [share(next) < a, share(next) < b];
          if (first && !second) [only, sums[i]] = [only + 1, sums[i] + 1];
          if (second && !first) [other, sums[i]] = [other + 1, sums[i] - 1];
        }
        total += sums[i];
      }
      let count = 0;
      for (let r = 0; r < resamples; r++) {
        const mask = coins(next, questions);
        let sum = 0;
        for (let i = 0; i < questions; i++) sum += mask[i] ? -sums[i] : sums[i];
        count += Math.abs(sum) >= Math.abs(total);
      }
      const gain = (100 * total) / (questions * runs);
      return { values: [coinP(only, only + other), pOf(count, resamples)], gain };
    },
    // two systems of which people like none better; the judge looks at the length in a share of the items
    judge: ({ longer }, { items, habit }) => (seed, k) => {
      const next = generator(seed, STREAMS.judge, k);
      let [judge, people] = [0, 0];
      for (let i = 0; i < items; i++) {
        const person = next() >>> 31, long = share(next) < longer ? 1 : 0;
        people += person;
        judge += share(next) < habit / 100 ? long : person;
      }
      return { values: [coinP(judge, items), coinP(people, items)], gain: (100 * judge) / items - 50 };
    },
    // what the server has drawn: a row for each draw, in the order of the seed
    table: ({ rows, ordered }) => {
      if (ordered) return (seed, k) => rows[k - 1];
      const orders = new Map();
      const order = (seed) => {
        if (!orders.has(seed)) {
          const next = generator(seed, STREAMS.table, 0), places = rows.map((_, i) => i);
          for (let i = places.length - 1; i > 0; i--) {
            const j = below(next, i + 1);
            [places[i], places[j]] = [places[j], places[i]];
          }
          orders.set(seed, places);
        }
        return orders.get(seed);
      };
      return (seed, k) => rows[order(seed)[k - 1]];
    },
  };

  return { KINDS, Pair, generator, coins, counts, coinP, pOf, quantile, reaches, ruled, slack };
})();
