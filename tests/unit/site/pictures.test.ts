import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { SITE_PATHS } from '#core/contract/paths.ts'
import { PRESETS } from '#core/contract/webhooks/presets/presets.ts'
import { SCREENS } from '#scripts/look/list-screens.ts'
import { readSize } from '#scripts/site/copy-images.ts'
import { drawCard } from '#scripts/site/cards/draw-card.ts'

const MOST_BYTES = 60_000
const MOST_BYTES_OF_ALL = 6_000_000

const docs = new URL('../../../docs/', import.meta.url).pathname
const pictures = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.webp'))
  .map((name) => ({ name, bytes: readFileSync(path.join(docs, name)) }))

it('every preset has a picture and every screen three, and all are small', () => {
  const names = new Set(pictures.map(({ name }) => name))
  for (const { id } of PRESETS.slice(1)) expect(names).toContain(`site/images/receivers/${id}.webp`)
  const page = readFileSync(path.join(docs, 'screens.md'), 'utf8')
  for (const { path: shown } of SCREENS) expect(page).toContain(`| \`${shown}\` |`)
  const linked = [...page.matchAll(/\]\((images\/[^)]+)\)/g)].map(([, name = '']) => name)
  expect(linked.length).toBe(3 * SCREENS.length)
  for (const name of linked) expect(names).toContain(name)
  for (const { name, bytes } of pictures) {
    expect(bytes.length, name).toBeLessThan(MOST_BYTES)
    expect(readSize(bytes, name).width, name).toBeGreaterThan(300)
  }
  expect(pictures.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(MOST_BYTES_OF_ALL)
})

it('every path of the public site is in the list of screens', () => {
  const shown = SCREENS.map((one) => one.path.replace('{slug}', ':slug'))
  const guides: string[] = [SITE_PATHS.guide]
  expect(Object.values(SITE_PATHS).filter((one) => !shown.includes(one) && !guides.includes(one))).toEqual([])
})

it('a file that is not an image is reported, and a long description ends with a whole word', () => {
  expect(() => readSize(Buffer.from('GIF89a: nothing at all of use here'), 'a.webp')).toThrow(
    'a.webp is no WebP picture',
  )
  const text = `${'word '.repeat(60)}end`
  expect(JSON.stringify(drawCard({ path: '/', kicker: 'Blog', title: 'A', text }))).toContain('word …')
})
