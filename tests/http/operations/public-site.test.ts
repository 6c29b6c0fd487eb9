import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAILURE_ID_MARK, SITE_FOLDER, SITE_ORIGIN_MARK, type SiteIndex } from '#core/contract/site.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { startThreadClock } from '#tests/support/thread-time.ts'

let app: TestApp
let folder: string
const site = () => path.join(folder, SITE_FOLDER)
const index: SiteIndex = {
  pages: { '/': 'home.html', '/about': 'about.html', '/sitemap.xml': 'sitemap.xml', '/gone': 'gone.html' },
  failure: 'failure.html',
  missing: { '/': 'missing.html', '/blog/': 'missing-blog.html' },
}
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-site-'))
  await mkdir(site())
  await writeFile(path.join(folder, 'index.html'), '<title>the app</title>')
  const page = (name: string) =>
    `<title>${name}</title><link rel="canonical" href="${SITE_ORIGIN_MARK}/${name}">`
  for (const file of ['home', 'about', 'missing', 'missing-blog'])
    await writeFile(path.join(site(), `${file}.html`), page(file))
  await writeFile(path.join(site(), 'failure.html'), `<title>failure</title>${FAILURE_ID_MARK}`)
  await writeFile(path.join(site(), 'sitemap.xml'), `<loc>${SITE_ORIGIN_MARK}/about</loc>`)
  await writeFile(path.join(site(), 'index.json'), JSON.stringify(index))
  app = await startApp({}, folder)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (where: string, headers: Record<string, string> = {}) =>
  fetch(app.url + where, { headers, redirect: 'manual' })

describe('a public page', () => {
  test('is sent compressed, with the address of this installation in it', async () => {
    for (const [accepted, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await get('/about', { 'Accept-Encoding': accepted })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('content-encoding')).toBe(coding)
      expect(answer.headers.get('vary')).toContain('Accept-Encoding')
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';")
      expect(await answer.text()).toBe(`<title>about</title><link rel="canonical" href="${app.url}/about">`)
    }
    expect((await get('/sitemap.xml')).headers.get('content-type')).toContain('application/xml')
  })

  test('is not sent again to a browser that has cached it', async () => {
    const first = await get('/')
    const etag = first.headers.get('etag') ?? ''
    const plain = (await get('/', { 'Accept-Encoding': 'identity' })).headers.get('etag')
    expect(plain).not.toBe(etag)
    const again = await get('/', { 'If-None-Match': `"other", W/${etag}` })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    expect((await get('/', { 'If-None-Match': plain ?? '' })).status).toBe(200)
  })

  test('has one address, and accepts only reading requests', async () => {
    const moved = await get('/About/?from=mail')
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/about?from=mail'])
    const head = await fetch(`${app.url}/about`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await fetch(`${app.url}/about`, { method: 'POST' })).status).toBe(405)
    expect((await get(`/${SITE_FOLDER}/about.html`)).status).toBe(404)
  })
})

test('an unknown path is the not-found page of its part of the site, and screens of the app are the app', async () => {
  for (const [where, status, title] of [
    ['/nowhere', 404, 'missing'],
    ['/toString', 404, 'missing'],
    ['/blog/nothing', 404, 'missing-blog'],
    ['/leads', 200, 'the app'],
  ] as const) {
    const answer = await get(where)
    expect([answer.status, /<title>(.*)<\/title>/.exec(await answer.text())?.[1]]).toEqual([status, title])
  }
})

test('a failed page is an error page with the failure’s id for a browser, and a problem for a program', async () => {
  const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const failed = await get('/gone', html)
  expect([failed.status, await failed.text()]).toEqual([
    500,
    `<title>failure</title>${failed.headers.get('x-request-id')}`,
  ])
  expect((await get('/gone')).headers.get('content-type')).toContain('application/problem+json')
  const unreadable = await get('/%zz', html)
  expect([unreadable.status, await unreadable.text()]).toEqual([
    404,
    expect.stringContaining('<title>missing'),
  ])
  expect((await get('/api/v1/%zz', html)).headers.get('content-type')).toContain('application/problem+json')
})

test('a path of slashes is answered quickly', async () => {
  const threadMs = startThreadClock()
  for (let asked = 0; asked < 10; asked += 1) expect((await get(`${'/'.repeat(15_000)}x`)).status).toBe(404)
  // Comparing each slash with every other would take a second.
  expect(threadMs()).toBeLessThan(400)
})

test('a new build is served without a restart', async () => {
  await writeFile(path.join(site(), 'late.html'), '<title>late</title>')
  await writeFile(
    path.join(site(), 'index.json'),
    JSON.stringify({ ...index, pages: { ...index.pages, '/late': 'late.html' } }),
  )
  await expect.poll(async () => (await get('/late')).status, { timeout: 10_000 }).toBe(200)
})
