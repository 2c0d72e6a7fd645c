"""Which test vouches for each sentence with a number: README.md and most pages of docs/."""

from __future__ import annotations

HERE = "tests/architecture/test_numbers_of_resampling.py"
UNIT, GOLDEN = "tests/unit/sigcore", "tests/golden"
UNITS = f"{UNIT}/studies/test_units.py"
USUAL_UNIT = f"{UNITS}::test_documents_are_the_usual_unit_where_there_are_enough"
ENOUGH, LIMITS = (
    f"{UNIT}/studies/test_enough.py::test_when_more_are_drawn",
    f"{HERE}::test_limits_are_those_of_the_code",
)
AS_PRINTED, PRINTED = f"{UNIT}/studies/test_as_printed.py", f"{UNIT}/test_formatting.py"
TWO_DIGITS = f"{PRINTED}::test_p_in_two_significant_digits"
ALL_DRAWS = "tests/property/test_exhaustive_bootstrap.py::test_counts_are_those_of_all_draws"
PUBLISHED = f"{GOLDEN}/test_rouge.py::test_as_many_published_scores_are_met_as_the_documents_say"
SAMPLES, STRUCTURES = f"{GOLDEN}/test_programs_on_samples.py", f"{GOLDEN}/test_programs_on_structures.py"
OTHERS = f"{GOLDEN}/test_other_programs.py"
SUMMARIES, ROUGE = f"{UNIT}/metrics/rouge/test_summaries.py", f"{UNIT}/metrics/rouge/test_rouge.py"

RUN_RATES = "tests/calibration/test_runs.py::test_rates_are_those_of_the_documents"
MULTEVAL = f"{UNIT}/studies/test_several_runs.py::test_multevals_p_is_that_of_all_outcomes"

# A part of the sentence, and the test (file::name) that fails where its numbers are wrong.
PAGES = {
    "README.md": {
        "Python 3.11 or newer": f"{HERE}::test_python_is_the_one_that_is_asked_for",
        "confidence (1 - p)": f"{UNIT}/studies/test_studies.py::test_gain_turns_every_pair",
        "of 31 systems take less than a minute": f"{HERE}::test_a_million_resamples_take_less_than_a_minute",
        "1 GB in your cache folder": f"{UNIT}/storage/test_disk.py::test_the_setting_is_read",
        "| metrics | BLEU": f"{GOLDEN}/test_real_data.py::test_cs_en_ter",
    },
    "pvalues.md": {
        "gains of at most 0 for": ALL_DRAWS,
        "is at most 10⁻¹¹": f"{HERE}::test_the_size_of_a_tie",
        "10⁻¹¹ times that": f"{HERE}::test_the_size_of_a_tie",
        "get p = 1 under every rule": f"{HERE}::test_equal_statistics_have_p_one_under_every_rule",
        "is (c + 1) / (R + 1)": f"{UNIT}/resampling/test_pvalues.py::test_p_by_hand",
        "with the +1 and with ties counted": f"{HERE}::test_the_plus_one_holds_the_level_of_randomization",
        "the +1 has no such proof": f"{HERE}::test_rates_of_few_units_are_those_of_the_table",
        "Of 300 segments let one": f"{AS_PRINTED}::test_one_segment_of_300_is_never_significant",
        "beside p with ties counted": f"{UNIT.replace('sigcore', 'sigboard')}/reports/test_sentences.py::"
        "test_a_p_as_printed_elsewhere_is_no_verdict",
        "test set has at least 20, else": USUAL_UNIT,
        "2,351 of 10,000 give p": f"{HERE}::test_numbers_of_how_p_is_printed",
        "0.21, 0.031, 0.00010": f"{HERE}::test_numbers_of_how_p_is_printed",
        "0.0504, not 0.050": f"{PRINTED}::test_p_just_above_alpha_does_not_read_as_alpha",
        "is [0, 0.00037]": f"{HERE}::test_numbers_of_how_p_is_printed",
        "p < 0.00037": f"{HERE}::test_numbers_of_how_p_is_printed",
        'is "< 0.000001"': TWO_DIGITS,
        "begins with 10,000": ENOUGH,
        "ends at 1,000,000": ENOUGH,
        "less than 0.05 % of all verdicts": "tests/calibration/test_enough.py::test_automatic_resamples_hold_the_level",
        "the first 10,000 are shown": ENOUGH,
        "`human` use 10,000": LIMITS,
        "more than 200 million": LIMITS,
        "under at least 95 % of all seeds": f"{HERE}::test_what_the_monte_carlo_interval_contains",
        "1.4 times (√2)": f"{HERE}::test_what_the_monte_carlo_interval_contains",
        "Below 10 units": f"{HERE}::test_limits_are_those_of_the_code",
        "it was .107": f"{HERE}::test_rates_of_few_units_are_those_of_the_table",
        "in 19 % of test sets": "tests/calibration/test_family_wise.py::test_few_units_cost_a_grid_more",
        "would reject 12.5 %": "tests/calibration/test_discrete.py::test_units_that_do_not_differ_do_not_count_quick",
        "with 5 units 0.0625": f"{HERE}::test_five_units_have_no_smaller_p",
        "in blocks of 512": f"{HERE}::test_limits_are_those_of_the_code",
        "about 10⁻¹¹ of the largest one": f"{UNIT}/resampling/test_columns.py::test_other_numbers_are_nearly_exact",
        "than 100,352 resamples": f"{HERE}::test_the_monte_carlo_error_of_an_interval",
    },
    "units.md": {
        "there are at least 20; otherwise": USUAL_UNIT,
        "1.4 times as wide": f"{HERE}::test_what_a_design_effect_of_two_means",
        "(n - 1) / n times": f"{UNITS}::test_design_effect_is_the_slow_jackknifes",
        "Kish's 1 + (b - 1) ρ": f"{UNITS}::test_design_effect_of_a_mean_is_kishs",
        "up to 1 / n": f"{UNITS}::test_design_effect_is_the_ratio_of_bootstrap_variances",
        "28 % for 26 documents": f"{HERE}::test_the_error_of_a_design_effect",
        "(BLEU, 1448 segments": f"{GOLDEN}/test_units.py::test_blocks_of_a_campaign_are_as_printed",
        "| 5 | 290 |": f"{GOLDEN}/test_units.py::test_blocks_of_a_campaign_are_as_printed",
        "| 10 | 145 |": f"{GOLDEN}/test_units.py::test_blocks_of_a_campaign_are_as_printed",
        "| 20 | 73 |": f"{GOLDEN}/test_units.py::test_blocks_of_a_campaign_are_as_printed",
        "| 50 | 29 |": f"{GOLDEN}/test_units.py::test_blocks_of_a_campaign_are_as_printed",
        "A value below 1": f"{UNITS}::test_independent_segments_have_an_effect_near_one",
        "two standard errors above 1": f"{UNITS}::test_documents_that_are_left_out_of_account_are_told",
        "fewer than 30 units": f"{HERE}::test_rates_of_few_units_are_those_of_the_table",
        "five documents 0.0625": f"{HERE}::test_five_units_have_no_smaller_p",
    },
    "architecture.md": {
        "0/1 swap masks": f"{UNIT}/resampling/test_weights.py::test_masks_are_zero_or_one",
        "blocks of 512 resamples": f"{HERE}::test_limits_are_those_of_the_code",
        "below 2^24": f"{UNIT}/resampling/test_columns.py::test_totals_above_single_precision_are_exact",
        "at most 100,352 resamples": f"{HERE}::test_the_monte_carlo_error_of_an_interval",
        "at least 5e-14 of the scores": f"{HERE}::test_the_size_of_a_tie",
        "about 1e-9": f"{HERE}::test_the_size_of_a_tie",
    },
    "loading.md": {
        "never counted as 0": f"{UNIT}/data/test_assemble.py::test_missing_scores_leave_out_the_system_or_the_segment_as_chosen",
        "512 MB and 5,000 files": f"{UNIT}/readers/test_archives.py::test_the_documented_limits_are_those_of_the_code",
        "may have 1,000 columns": f"{UNIT}/readers/test_archives.py::test_the_documented_limits_are_those_of_the_code",
        "may have 2,000,000,000 bytes": f"{UNIT}/data/test_paths.py::test_the_documented_bounds_are_those_of_the_code",
        "within 15 seconds": f"{HERE}::test_limits_are_those_of_the_code",
        "nearly all of 30 or more segments": f"{UNIT}/data/test_assemble.py::test_copies_are_found",
        "are read as 1 and 0": f"{UNIT}/readers/test_said.py::test_true_and_false_are_one_and_zero",
    },
    "cluster.md": {},
    "runs.md": {
        "gains vary 2.8 times as much": f"{GOLDEN}/test_multirun.py::test_a_copy_of_the_baseline_has_p_one",
        "multiplied by √(m / (m - 1))": f"{UNIT}/studies/test_several_runs.py::test_drawn_runs_vary_as_much_as_runs",
        "at 0.05, with 3 runs each and 100 segments": RUN_RATES,
        "| all outputs could change places | 5 %": RUN_RATES,
        "| the runs of a system are alike on a segment |": RUN_RATES,
        "| runs differ a little on all segments |": RUN_RATES,
        "| runs differ much on all segments |": RUN_RATES,
        "a standard deviation of 0.1 and 0.5": RUN_RATES,
        "with probability 1/2": MULTEVAL,
        "From 3 runs on the permutation": MULTEVAL,
        "is 5/6 of what it should be": f"{UNIT}/studies/test_several_runs.py::"
        "test_gains_of_multevals_shuffle_vary_too_little",
        "has p = 0.00 in its published": f"{GOLDEN}/test_multirun.py::test_a_copy_of_the_baseline_has_p_one",
        "With ties counted it has p = 1": f"{GOLDEN}/test_multirun.py::test_a_copy_of_the_baseline_has_p_one",
        "its p of 0.09 for the length": f"{GOLDEN}/test_multirun.py::test_multevals_shuffle_gives_multevals_p",
    },
    "meteor.md": {
        "the sums of all 23 statistics": f"{GOLDEN}/test_programs_on_samples.py::test_meteor_is_that_of_the_java_program",
        "one reference and two": f"{GOLDEN}/test_meteor.py::test_rows_and_scores_are_the_programs",
        "24 segments, two systems each": f"{GOLDEN}/test_meteor_languages.py::test_meteor_is_that_of_the_java_program",
        "by a 32-bit number": f"{GOLDEN}/test_meteor_languages.py::test_words_with_the_same_number_are_different_here",
        "is 93 words and marks": "tests/unit/sigcore/metrics/meteor/test_meteor.py::test_lists_of_function_words",
        "weigh the same there (delta 0.5)": f"{GOLDEN}/test_meteor_languages.py::test_where_delta_is_half_lists_do_not_matter",
        "at least 5 in 10,000": f"{GOLDEN}/test_meteor.py::test_default_function_words_are_those_of_the_counts",
        "0.4 to 1.8 points higher": f"{GOLDEN}/test_meteor.py::test_without_a_list_scores_are_higher",
        "prints 23 numbers": f"{GOLDEN}/test_meteor.py::test_formula_on_the_programs_rows",
    },
    "rouge.md": {
        "F = 2 recall precision": f"{ROUGE}::test_the_papers_example",
        "from 0 to 100": f"{ROUGE}::test_the_papers_example",
        "= 100, `limit_bytes` = 665": f"{SUMMARIES}::test_limits_cut_after_words_or_bytes",
        "Alpha (`-p`) is 0.5": f"{GOLDEN}/test_rouge.py::test_documents_get_the_programs_numbers",
        "about 10 points lower on news": PUBLISHED,
        "with the lists of 3.0": f"{GOLDEN}/test_rouge.py::test_every_system_gets_the_programs_numbers",
        "up to 0.00115 off": f"{GOLDEN}/test_rouge.py::test_the_programs_average_is_not_the_mean",
        "at most 0.000015 off": f"{GOLDEN}/test_rouge.py::test_the_programs_f_is_made_of_rounded_numbers",
        "without words scores 0": f"{ROUGE}::test_without_words_or_anything_in_common_it_is_zero",
        "for 25 summarizers of 100": PUBLISHED,
        "Of the 2,500 published values": PUBLISHED,
        "| 954 | -1.65 |": PUBLISHED,
        "| 1,834 | -0.39 |": PUBLISHED,
        "| 2,231 | -0.04 |": PUBLISHED,
        "| 1,764 | -0.60 |": PUBLISHED,
        "| 2,184 | -0.14 |": PUBLISHED,
        "| 2,237 | -0.09 |": PUBLISHED,
        "| 126 | -10.42 |": PUBLISHED,
        "| 1,578 | -0.96 |": PUBLISHED,
        "On the sample harbour-summaries (40": f"{STRUCTURES}::test_summaries_of_several_sentences_are_scored_as_by_rouge",
        "F equals that of rouge-score 0.1.2": f"{STRUCTURES}::test_the_best_f_is_that_of_rouge_score",
    },
    "programs.md": {
        "| sacreBLEU 2.6.0 | harbour (one": f"{SAMPLES}::test_scores_are_those_of_sacrebleu",
        "| tercom 0.8.0 |": f"{SAMPLES}::test_ter_is_that_of_tercom",
        "| all 23 columns in sum": f"{SAMPLES}::test_meteor_is_that_of_the_java_program",
        "| rouge_score 0.1.2 |": f"{STRUCTURES}::test_the_best_f_is_that_of_rouge_score",
        "| conll18_ud_eval.py 1.2 |": f"{STRUCTURES}::test_attachment_is_that_of_the_conll_2018_script",
        "| eval.pl 1.9 (CoNLL-X) |": f"{STRUCTURES}::test_attachment_is_that_of_eval_pl",
        "NLTK 3.10.4 (without punctuation), Udapi": f"{STRUCTURES}::test_attachment_with_whole_labels_is_that_of_udapi",
        "| harbour-brackets; 30 odd pairs": f"{STRUCTURES}::test_odd_brackets_are_read_as_evalb_does",
        "| aer.py (lilt), NLTK 3.10.4 |": f"{STRUCTURES}::test_links_are_scored_as_by_other_programs",
        "the script of SQuAD 2.0 | 40 answers": f"{OTHERS}::test_answers_are_scored_as_by_the_script_of_squad_2",
        "| jiwer 4.0.0 |": f"{OTHERS}::test_error_rates_are_jiwers",
        "`--paired-ar` |": f"{GOLDEN}/test_p_of_sacrebleu.py::test_randomization_agrees_with_sacrebleu",
        "`--paired-bs` |": f"{GOLDEN}/test_p_of_sacrebleu.py::test_the_draws_of_sacrebleu_give_its_p",
        "The script of SQuAD 1.1": f"{OTHERS}::test_answers_are_scored_as_by_the_script_of_squad_2",
    },
}

# Measured once, with WordNet and published scores: no test repeats them yet.
UNTESTED = {
    "rouge.md": (
        "dropped with version 1.4",
        "in which 15 or more systems differ",
        "reproduces 1,500 of 2,000",
        "44 of 100 values",
        "reproduces 83 of its 100",
    ),
}
