import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import satori from 'satori'
import type { SiteCard } from '#web/site/site-content.ts'
import { CARD_SIZE, drawCard } from './draw-card.ts'

const WASM = import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm')
const FONTS = [
  { weight: 400, file: import.meta.resolve('@fontsource/inter/files/inter-latin-400-normal.woff') },
  { weight: 600, file: import.meta.resolve('@fontsource/inter/files/inter-latin-600-normal.woff') },
] as const

/**
 * Draws the picture of a shared link for each page, without a browser (docs/decisions/0024). An unchanged
 * page keeps its picture: `kept` is a folder that survives builds.
 * @returns addresses by the pages' paths
 */
export async function makeCards(
  cards: readonly SiteCard[],
  out: string,
  kept: string,
): Promise<Record<string, string>> {
  await mkdir(path.join(out, 'assets'), { recursive: true })
  await mkdir(kept, { recursive: true })
  const style = await readFile(fileURLToPath(new URL('draw-card.ts', import.meta.url)), 'utf8')
  const open = openPainter()
  const addresses: Record<string, string> = {}
  for (const card of cards) {
    const mark = createHash('sha256')
      .update(style)
      .update(JSON.stringify(card))
      .digest('base64url')
      .slice(0, 12)
    const name = `card-${nameCard(card.path)}-${mark}.png`
    const file = path.join(kept, name)
    const picture = (await readFile(file).catch(() => undefined)) ?? (await (await open())(card))
    await writeFile(file, picture)
    await writeFile(path.join(out, 'assets', name), picture)
    addresses[card.path] = `/assets/${name}`
  }
  return addresses
}

function nameCard(page: string): string {
  return page === '/' ? 'home' : page.slice(1).replaceAll('/', '-')
}

/** Opened once, and only if there is something to draw. */
function openPainter(): () => Promise<(card: SiteCard) => Promise<Uint8Array>> {
  let painter: Promise<(card: SiteCard) => Promise<Uint8Array>> | undefined
  return () => (painter ??= prepare())
}

async function prepare(): Promise<(card: SiteCard) => Promise<Uint8Array>> {
  await initWasm(await readFile(fileURLToPath(WASM)))
  const fonts = await Promise.all(
    FONTS.map(async ({ weight, file }) => ({
      name: 'Inter',
      weight,
      data: await readFile(fileURLToPath(file)),
    })),
  )
  return async (card) => {
    const drawing = await satori(drawCard(card), { ...CARD_SIZE, fonts })
    return new Resvg(drawing).render().asPng()
  }
}
