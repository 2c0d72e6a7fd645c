# docker build -t sigboard . && docker run --rm -p 8501:8501 -v sigboard:/home/sigboard/.cache sigboard
# Under another name than localhost: -e STREAMLIT_SERVER_ALLOWED_HOSTS=sigboard.example.org; for strangers also
# -e SIGBOARD_HOSTED=1 (bounds: sigboard/server/limits.py).
# The digest fixes the image, security updates included: docs/hosting.md says how to look up the next one.
ARG BASE=python:3.11.15-slim-trixie@sha256:90744cff8f32887f075c47d747a173ff333e9e98801667af93c357fa9f5e28ff
FROM ${BASE}

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_PORT=8501 \
    STREAMLIT_SERVER_HEADLESS=true

WORKDIR /app
# The packages are a separate layer, so that a change of the code does not install them again.
COPY requirements.lock .
RUN pip install --no-cache-dir --no-deps --require-hashes -r requirements.lock

RUN useradd --create-home --uid 1000 sigboard && install -d -o sigboard /home/sigboard/.cache
COPY . .
USER sigboard

EXPOSE 8501
# It draws the first page through a WebSocket, under the first of the names: /_stcore/health is green where no page opens.
HEALTHCHECK --interval=60s --timeout=25s --start-period=30s CMD ["python", "-m", "sigboard.server.health"]
ENTRYPOINT ["python", "cli.py", "app", "--"]
