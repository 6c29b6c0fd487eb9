import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SITE_FOLDER, type SiteIndex } from '#core/contract/site.ts'
import type { SiteRenderer } from '#web/site/site-content.ts'
import { buildAssets, buildRenderer } from './build-assets.ts'
import { makeCards } from './cards/make-cards.ts'
import { copyImages } from './copy-images.ts'
import { makeSite } from './make-site.ts'
import { readContent } from './read-content.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Makes the public site inside the built web app. The components of web/site render its pages here, once, so
 * that the server only sends files (server/http/web/serve-site.ts). Runs after `vite build`, which empties
 * dist/web.
 */
export async function buildSite(): Promise<void> {
  const built = path.join(REPOSITORY, 'dist/web')
  const out = path.join(built, SITE_FOLDER)
  const assets = await buildAssets(REPOSITORY, built)
  const images = await copyImages(REPOSITORY, built)
  const renderer = await loadRenderer(built)
  const texts = readContent(assets, { highlightCode: renderer.highlightCode, images })
  const cards = await makeCards(renderer.listCards(texts), built, path.join(REPOSITORY, '.cache/cards'))
  const { files, missing, failure } = makeSite(renderer, { ...texts, cards })
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  for (const [, name, text] of [...files, ...missing, failure]) await writeFile(path.join(out, name), text)
  const index: SiteIndex = {
    pages: Object.fromEntries(files.map(([asked, name]) => [asked, name])),
    missing: Object.fromEntries(missing.map(([under, name]) => [under, name])),
    failure: failure[1],
  }
  // Written last: if this file exists, all others do.
  await writeFile(path.join(out, 'index.json'), JSON.stringify(index, null, 2))
}

async function loadRenderer(built: string): Promise<SiteRenderer> {
  const folder = path.join(built, '.site-renderer')
  try {
    const entry = await buildRenderer(REPOSITORY, folder)
    return (await import(pathToFileURL(entry).href)) as SiteRenderer
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
