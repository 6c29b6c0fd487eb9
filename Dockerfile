# One image for server, worker, migrations and commands; docker-compose.yml says which runs where.
FROM node:26.10.0-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS packages
# Node is the image's own, so the one among the optional packages stays out (docs/decisions/0024-what-runs-and-what-builds.md).
RUN npm ci --omit=dev --omit=optional
# Which packages the image holds (CycloneDX), and their licences.
COPY scripts/list-licences.ts ./scripts/
RUN npm sbom --omit=dev --omit=optional --sbom-format=cyclonedx > sbom.cdx.json && node scripts/list-licences.ts > THIRD-PARTY-LICENCES.txt

FROM base AS web
RUN npm ci
COPY vite.config.ts tsconfig.json .env.example ./
COPY core ./core
COPY server ./server
COPY web ./web
COPY docs/site ./docs/site
COPY scripts/site ./scripts/site
COPY scripts/app-build ./scripts/app-build
COPY scripts/documents ./scripts/documents
COPY scripts/build-site.ts ./scripts/
RUN npm run build

# The key of PostgreSQL's own packages: Debian has it in a package, so nothing is trusted that Debian does not sign.
FROM node:26.10.0-bookworm-slim AS postgres-key
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-common

FROM node:26.10.0-bookworm-slim
# `leadwire backup` and `restore` need pg_dump and pg_restore of the server's version, or newer. Debian has them of 15 alone.
COPY --from=postgres-key /usr/share/postgresql-common/pgdg/apt.postgresql.org.asc /usr/share/keyrings/
RUN echo 'deb [signed-by=/usr/share/keyrings/apt.postgresql.org.asc] http://apt.postgresql.org/pub/repos/apt bookworm-pgdg main' \
  > /etc/apt/sources.list.d/postgresql.list && \
  apt-get update && apt-get install -y --no-install-recommends postgresql-client-18 && rm -rf /var/lib/apt/lists/*
# Node looks endpoints' names up on half of these threads; of four, its default, names that do not answer soon take all.
ENV UV_THREADPOOL_SIZE=400
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=packages /app/sbom.cdx.json /app/THIRD-PARTY-LICENCES.txt ./
COPY --from=web /app/dist ./dist
COPY package.json LICENSE ./
COPY core ./core
COPY server ./server
COPY worker ./worker
COPY migrations ./migrations
COPY scripts/migrate.ts scripts/migrate-database.ts scripts/make-service-key.ts scripts/grant-admin.ts scripts/check-health.ts scripts/leadwire.ts ./scripts/
COPY scripts/leadwire ./scripts/leadwire
COPY scripts/migrations ./scripts/migrations
# Everything but these two folders belongs to root, so the programs cannot change themselves.
RUN mkdir -p /data .cache && chown node:node /data .cache
ENV DATA_DIR=/data
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
# Types are stripped and modules compiled here, once: a process that strips types itself holds 20 to 30 MB more, and so do its children.
# The cache belongs to this user and version of Node, and may be read-only later. Without variables server and worker load everything, and
# refuse to start; the build fails if they refuse for another reason.
ENV NODE_COMPILE_CACHE=/app/.cache/compile
RUN node server/main.ts 2>&1 | grep 'DATABASE_URL: is required' && \
  node worker/main.ts 2>&1 | grep 'DATABASE_URL: is required' && \
  node --max-old-space-size=128 --import 'data:text/javascript,setTimeout(() => process.exit(), 2000)' core/endpoint/isolated/exchange-process.ts
# `docker build --build-arg REVISION=$(git rev-parse --short HEAD)`: /healthz tells which build runs. Last, so that layers above are kept.
ARG REVISION=
ENV BUILD_REVISION=$REVISION
LABEL org.opencontainers.image.title=Leadwire \
  org.opencontainers.image.description="Delivers sales leads to the buyers' own CRMs" \
  org.opencontainers.image.licenses=MIT \
  org.opencontainers.image.revision=$REVISION
# The image has no HEALTHCHECK: server, worker and migration need different ones, which docker-compose.yml and deploy/chart have.
EXPOSE 3000
CMD ["node", "server/main.ts"]
