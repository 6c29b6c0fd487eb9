import { readdir } from 'node:fs/promises'
import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig } from 'vite'
import type { SiteAssets } from '#web/site/site-content.ts'
import { bringParts } from '../app-build/bring-parts.ts'
import { packFiles } from '../app-build/pack-files.ts'

const SHARED = { configFile: false, logLevel: 'warn' } satisfies InlineConfig

/**
 * Builds the files that browsers load with the public pages into `out/assets`, beside the app's own; returns
 * their addresses.
 */
export async function buildAssets(repository: string, out: string): Promise<SiteAssets> {
  const client = path.join(repository, 'web/site/client')
  const islands = await listIslands(path.join(client, 'islands'))
  const result = await build({
    ...SHARED,
    root: path.join(repository, 'web'),
    plugins: [tailwindcss(), bringParts()],
    publicDir: false,
    build: {
      outDir: out,
      emptyOutDir: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: {
          site: path.join(client, 'site.ts'),
          ...Object.fromEntries(
            islands.map((name) => [`site-${name}`, path.join(client, 'islands', `${name}.ts`)]),
          ),
        },
      },
    },
  })
  if (!('output' in result)) throw new Error('The site was built more than once')
  const entries = new Map(
    result.output.flatMap((file) =>
      file.type === 'chunk' && file.isEntry ? [[file.name, `/${file.fileName}`] as const] : [],
    ),
  )
  const scriptOf = (name: string) => {
    const found = entries.get(name)
    if (found === undefined) throw new Error(`The build of the site has no script ${name}`)
    return found
  }
  const files = result.output.map(({ fileName }) => fileName)
  await packFiles(out, files)
  const find = (pattern: RegExp) => {
    const found = files.find((name) => pattern.test(name))
    if (found === undefined) throw new Error(`The build of the site has no ${pattern.source}`)
    return `/${found}`
  }
  return {
    css: find(/\.css$/),
    font: find(/inter-latin-wght-normal[^/]*\.woff2$/),
    script: scriptOf('site'),
    islands: Object.fromEntries(islands.map((name) => [name, scriptOf(`site-${name}`)])),
  }
}

/** Builds `web/site/render-site.tsx` for Node; returns its path. */
export async function buildRenderer(repository: string, out: string): Promise<string> {
  await build({
    ...SHARED,
    root: path.join(repository, 'web'),
    plugins: [react()],
    publicDir: false,
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'es2024',
      ssr: path.join(repository, 'web/site/render-site.tsx'),
      rolldownOptions: { output: { entryFileNames: 'render-site.mjs' } },
    },
  })
  return path.join(out, 'render-site.mjs')
}

/** Names of the interactive parts of pages: one file each. */
export async function listIslands(folder: string): Promise<string[]> {
  return (await readdir(folder)).map((name) => path.basename(name, '.ts'))
}
