ARG NODE_IMAGE=node:20.20-bookworm-slim

# Compiles and bundles; nothing of this stage but dist/bundle gets into the image.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src src
COPY carriers carriers
COPY bin bin
COPY templates/ims templates/ims
RUN npm run build

# Installs what runs, without a compiler: bin/waybridge.js then never tries to build.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    DATA_DIR=/data
WORKDIR /app
COPY package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist/bundle dist/bundle
COPY bin bin
COPY templates templates
# What the sandbox can be filled with.
COPY src/sandbox/scenarios/*.yaml src/sandbox/scenarios/
COPY src/sandbox/scenarios/generate/*.yaml src/sandbox/scenarios/generate/
# The embedded database; not used with DATABASE_URL.
RUN install -d -o node -g node /data
VOLUME /data
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# One process, so SIGTERM reaches it: it lets what runs end, for at most 20 seconds.
CMD ["node", "bin/waybridge.js", "serve"]
