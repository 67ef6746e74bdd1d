# docker run --rm -v "$PWD:/work:ro" urlscan check .
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY docs/urlscan.1 docs/
COPY urlscan urlscan
RUN python -m venv /opt/urlscan && /opt/urlscan/bin/pip install --no-cache-dir --no-compile ".[idn,zstd]"

FROM python:3.13-slim
# git lists the files of a work tree that is mounted; its owner is another user.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory '*' \
    && useradd --create-home --uid 10001 urlscan
COPY --from=build /opt/urlscan /opt/urlscan
USER 10001
WORKDIR /work
ENTRYPOINT ["/opt/urlscan/bin/urlscan-lint"]
CMD ["--help"]
