import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { BROWSER_STORAGE } from '#core/contract/browser-storage.ts'

const ROOT = new URL('../../../', import.meta.url).pathname

/** Returns every source file of these folders with its text. */
function readSources(...folders: string[]): Array<[name: string, text: string]> {
  return folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|js)$/.test(name))
      .map((name): [string, string] => [
        `${folder}/${name}`,
        readFileSync(path.join(ROOT, folder, name), 'utf8'),
      ]),
  )
}

it('the cookie policy lists what the web app and the server keep in a browser, and nothing else', () => {
  const web = readSources('web')
  const keys = web.flatMap(([, text]) => {
    if (!/[sS]torage|useKeptFlag/.test(text)) return []
    const named = [
      ...text.matchAll(/KEY\w* = '([^']+)'/g),
      ...text.matchAll(/(?:storageKey: |useKeptFlag\(|Storage\.\w+Item\()'([^']+)'/g),
      ...text.matchAll(/=> `(\w+_)\$\{email\}`/g),
    ]
    return named.map(([, key = '']) => (key.endsWith('_') ? `${key}…` : key))
  })
  const cookies = readSources('server').flatMap(([, text]) =>
    /cookie/i.test(text)
      ? [...text.matchAll(/['}](leadwire_[a-z_]+)['`]/g)].map(([, key = '']) => key.replace(/_$/, '_…'))
      : [],
  )
  const listed = BROWSER_STORAGE.map(({ key }) => key)
  expect([...new Set([...keys, ...cookies])].toSorted()).toEqual(listed.toSorted())
  // Matches other kinds of storage, and code that sets a cookie.
  const elsewhere = /document\.cookie|indexedDB|caches\.(?:open|put)|navigator\.storage|serviceWorker/
  expect(web.filter(([, text]) => elsewhere.test(text)).map(([name]) => name)).toEqual([])
  expect(readSources('server').filter(([, text]) => /Set-Cookie/.test(text)).length).toBe(2)
})
