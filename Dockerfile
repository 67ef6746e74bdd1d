# docker run --rm -v "$PWD:/work:ro" urlscan check .
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY docs/urlscan.1 docs/
COPY urlscan urlscan
RUN python -m venv /opt/urlscan && /opt/urlscan/bin/pip install --no-cache-dir --no-compile ".[idn,zstd]"

FROM python:3.13-slim
RUN useradd --create-home --uid 10001 urlscan
COPY --from=build /opt/urlscan /opt/urlscan
USER 10001
WORKDIR /work
ENTRYPOINT ["/opt/urlscan/bin/urlscan-lint"]
CMD ["--help"]
