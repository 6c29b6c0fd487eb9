export interface ReadPage {
  path: string
  html: string
  /** to this site, as they are written */
  links: string[]
  ids: Set<string>
}

/** Every page that the sitemap lists, as the server sends it. */
export async function readSite(server: string): Promise<ReadPage[]> {
  const sitemap = await (await fetch(`${server}/sitemap.xml`)).text()
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)
  return Promise.all(paths.map((path) => readPage(server, path)))
}

async function readPage(server: string, path: string): Promise<ReadPage> {
  const html = await (await fetch(server + path)).text()
  const hrefs = [...html.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
  const ours = hrefs.map((href) => (href.startsWith(`${server}/`) ? href.slice(server.length) : href))
  return {
    path,
    html,
    links: [...new Set(ours.filter((href) => /^[/#](?!\/)/.test(href)))],
    ids: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)),
  }
}
