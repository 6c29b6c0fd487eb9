import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The server that `npm run dev` starts. */
const server = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`
const serverPaths = [
  '/api/v1',
  '/auth/v1',
  '/functions/v1',
  '/storage/v1',
  '/healthz',
  '/readyz',
  '/dev/mailbox',
]

/** Beside each text of the build its packed copies; server/http/web/serve-packed.ts sends them. */
const packFiles: Plugin = {
  name: 'pack-files',
  async writeBundle({ dir = '' }, bundle) {
    const texts = Object.keys(bundle).filter((name) => /^assets\/.*\.(?:js|css)$/.test(name))
    for (const file of texts.map((name) => path.join(dir, name))) {
      const text = await readFile(file)
      // Its best quality takes twenty times as long for a twentieth less.
      await writeFile(
        `${file}.br`,
        brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      )
      await writeFile(`${file}.gz`, gzipSync(text, { level: 9 }))
    }
  },
}

export default defineConfig({
  root: 'web',
  resolve: {
    // For its size, docs/decisions/0024.
    alias: [{ find: /^zod$/, replacement: path.resolve('web/app/small-zod.ts') }],
  },
  plugins: [react(), tailwindcss(), packFiles],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Whoever debugs runs `npm run dev`; what is built is for everybody.
    sourcemap: false,
    // A data: URL would need an exception in the content policy.
    assetsInlineLimit: 0,
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      ...Object.fromEntries(serverPaths.map((path) => [path, server])),
      '/realtime/v1': { target: server, ws: true },
    },
  },
})
