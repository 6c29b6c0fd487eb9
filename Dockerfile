# One image for server, worker and migrations; docker-compose.yml says which runs where.
FROM node:26-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS packages
# Node is the image's own, so the one among the optional packages stays out (docs/decisions/0024-what-runs-and-what-builds.md).
RUN npm ci --omit=dev --omit=optional

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

FROM node:26-bookworm-slim
# Node looks endpoints' names up on half of these threads; of four, its default, names that do not answer soon take all.
ENV UV_THREADPOOL_SIZE=400
ENV NODE_ENV=production
# `docker build --build-arg REVISION=$(git rev-parse --short HEAD)`: /healthz tells which build runs.
ARG REVISION=
ENV BUILD_REVISION=$REVISION
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=web /app/dist ./dist
COPY package.json ./
COPY core ./core
COPY server ./server
COPY worker ./worker
COPY migrations ./migrations
COPY scripts/migrate.ts scripts/migrate-database.ts scripts/make-service-key.ts scripts/grant-admin.ts ./scripts/
RUN mkdir -p /data .cache && chown node:node /data .cache
ENV DATA_DIR=/data
USER node
# Types are stripped and modules compiled here, once: a process that strips types itself holds 20 to 30 MB more, and so do its children.
# Without variables server and worker load everything, and refuse to start.
ENV NODE_COMPILE_CACHE=/app/.cache/compile
RUN node server/main.ts 2> /dev/null || true; node worker/main.ts 2> /dev/null || true; \
  node --max-old-space-size=128 --input-type=module --eval "await import('/app/core/endpoint/apart/exchange-process.ts'); setTimeout(() => process.exit(), 2000)"
EXPOSE 3000
CMD ["node", "server/main.ts"]
