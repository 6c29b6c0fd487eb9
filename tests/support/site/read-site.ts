import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SITE_FOLDER, type SiteIndex } from '#core/contract/site.ts'

const BUILT = fileURLToPath(new URL('../../../dist/web', import.meta.url))

export interface ReadPage {
  path: string
  status: number
  html: string
  /** addresses of this site as written, in links, forms, pictures, styles and scripts */
  links: string[]
  ids: Set<string>
}

/** Reads every built page as the server sends it, and one that does not exist. */
export async function readSite(server: string): Promise<ReadPage[]> {
  const index = await readFile(path.join(BUILT, SITE_FOLDER, 'index.json'), 'utf8')
  const { pages, missing } = JSON.parse(index) as SiteIndex
  const paths = Object.keys(pages).filter((asked) => pages[asked]?.endsWith('.html'))
  const nowhere = Object.keys(missing).map((under) => `${under}nowhere`)
  return Promise.all([...paths, ...nowhere].map((asked) => readPage(server, asked)))
}

async function readPage(server: string, asked: string): Promise<ReadPage> {
  const answer = await fetch(server + asked)
  const html = await answer.text()
  const named = [...html.matchAll(/ (?:href|src|action)="([^"]+)"/g)].map(([, to = '']) => to)
  const shared = [...html.matchAll(/ property="og:image" content="([^"]+)"/g)].map(([, to = '']) => to)
  const ours = [...named, ...shared].map((to) => {
    const whole = to.replaceAll('&amp;', '&')
    return whole.startsWith(`${server}/`) ? whole.slice(server.length) : whole
  })
  return {
    path: asked,
    status: answer.status,
    html,
    links: [...new Set(ours.filter((to) => /^[/#](?!\/)/.test(to)))],
    ids: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)),
  }
}
