# The only image that is pulled: one version of Node, with Debian's newest fixes at each build. src/operations/running.md says how to pin its digest.
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

# Compiles the sources; only dist is copied from this stage.
FROM base AS build
RUN npm ci
COPY tsconfig.json ./
COPY src src
RUN npm run build

# The packages needed at run time, including the embedded Postgres of this platform, and their list.
FROM base AS dependencies
RUN npm ci --omit=dev
# without devDependencies: `npm sbom --omit=dev` would leave out what a development package needs, too (npm/cli#7909)
RUN npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx --sbom-type=application >sbom.json
# types, sources and maps are for compilers and debuggers
RUN find node_modules -type f '(' -name '*.map' -o -name '*.ts' -o -name '*.cts' -o -name '*.mts' ')' -delete

FROM base
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/sbom.json ./
COPY LICENSE ./
COPY migrations migrations
COPY views views
COPY --from=build /app/dist dist
# All files belong to root and are read-only for the server, which writes to the volume alone.
RUN chmod 755 dist/cli.js && ln -s /app/dist/cli.js /usr/local/bin/latchkey && install -d -o node -g node -m 700 /data
# what `latchkey --version` says beside the version
ARG REVISION=unknown
RUN [ "$REVISION" = unknown ] || printf %s "$REVISION" >dist/commit
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=40s CMD ["node", "-e", "const { HOST: host, PORT: port, TLS_CERT_FILE: tls } = process.env; require(tls ? 'https' : 'http').get({ host, port, path: '/healthz', rejectUnauthorized: false }, (res) => process.exit(res.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# not `npm start`: npm would be process 1, and would have to pass SIGTERM on
CMD ["node", "dist/main.js"]
# last, since they differ for each build: the steps above stay cached
ARG VERSION=unknown CREATED=unknown SOURCE=unknown
LABEL org.opencontainers.image.title="Latchkey" \
      org.opencontainers.image.description="An OAuth 2.0 authorization server and the resource server that accepts its tokens" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED" \
      org.opencontainers.image.source="$SOURCE"
