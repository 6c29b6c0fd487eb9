import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

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

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: true,
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
