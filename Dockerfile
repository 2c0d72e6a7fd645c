# docker build -t sigboard . && docker run --rm -p 8501:8501 -v sigboard:/home/sigboard/.cache sigboard
# Under another name than localhost: -e STREAMLIT_SERVER_ALLOWED_HOSTS='["sigboard.example.org"]'; for strangers also
# -e SIGBOARD_HOSTED=1 (bounds: sigboard/ui/limits.py).
# This tag moves. For an image that cannot change, name its digest: --build-arg BASE=python:3.11-slim@sha256:... (docs/hosting.md)
ARG BASE=python:3.11-slim
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
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as u; assert u.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4).read() == b'ok'"]
ENTRYPOINT ["python", "cli.py", "app", "--"]
