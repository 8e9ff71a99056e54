# Compiles the sources; only dist is copied from this stage.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src src
RUN npm run build

# The packages needed at run time, including the embedded Postgres of this platform.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Latchkey" \
      org.opencontainers.image.description="An OAuth 2.0 authorization server and the resource server that accepts its tokens" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY migrations migrations
COPY views views
COPY --from=build /app/dist dist
# All files belong to root and are read-only for the server, which writes to the volume alone.
RUN chmod 755 dist/cli.js && ln -s /app/dist/cli.js /usr/local/bin/latchkey && install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=40s CMD ["node", "-e", "const { HOST: host, PORT: port, TLS_CERT_FILE: tls } = process.env; require(tls ? 'https' : 'http').get({ host, port, path: '/healthz', rejectUnauthorized: false }, (res) => process.exit(res.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "dist/main.js"]
