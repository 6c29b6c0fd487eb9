import { expect, test } from 'vitest'
import { readAll, readCells } from './read-all.ts'

/** The characters from byte 0x80 on in each encoding. */
const MAC_ROMAN = 'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß'
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function encode(text: string, letters: string): Buffer {
  const bytes = text.replaceAll(/[^\0-\x7f]/g, (letter) =>
    letters.includes(letter) ? String.fromCharCode(0x80 + letters.indexOf(letter)) : letter,
  )
  return Buffer.from(bytes, 'latin1')
}

test.each([
  'José',
  'Núñez',
  'García',
  'Martínez',
  'Muñoz',
  'López',
  'Jürgen',
  'Straße',
  'Müller',
  'François',
  'Díaz',
  'Zoë',
  'Jesús',
  'Cantú',
  'Raúl',
  'lunedì',
  'Peña',
  'Weiß',
  'Bogotá',
  'ANDRÉ',
])('Mac OS Roman is suggested for a file with %s, and used when the user chooses it', async (name) => {
  const bytes = encode(`name,city\n${name},Reno\n`, MAC_ROMAN)
  expect(await readAll([bytes])).toMatchObject({ encoding: 'windows-1252', suggested: 'macintosh' })
  expect(await readCells(bytes, { encoding: 'macintosh' })).toEqual([[name, 'Reno']])
  expect(await readAll([bytes], { encoding: 'macintosh' })).toMatchObject({ suggested: null })
  expect(await readAll([bytes], { encoding: 'windows-1252' })).toMatchObject({ suggested: 'macintosh' })
})

test.each([
  'José Núñez',
  'O’Brien',
  'Ana’s',
  'don’t',
  'we’ll',
  'Mašek',
  'a – b',
  '“x”',
  '€ 5',
  'Müller',
  'cœur',
  'œuvre',
  'sœur',
  'O‘Brien',
  '‘x’',
  '1–2',
  '§ 5',
])('Mac OS Roman is not suggested for a Windows-1252 file with %s', async (name) => {
  const bytes = encode(`name,city\n${name},Reno\n`, WINDOWS)
  expect(await readAll([bytes])).toMatchObject({ encoding: 'windows-1252', suggested: null })
  expect(await readCells(bytes)).toEqual([[name, 'Reno']])
})

test('no encoding is suggested for UTF-8, wherever its bytes are split', async () => {
  const bytes = Buffer.from('name\nJosé Núñez\n')
  expect(await readAll([...bytes].map((byte) => Uint8Array.of(byte)))).toMatchObject({
    encoding: 'utf-8',
    suggested: null,
  })
  const mac = encode('name\nJosé\n', MAC_ROMAN)
  expect(await readAll([...mac].map((byte) => Uint8Array.of(byte)))).toMatchObject({ suggested: 'macintosh' })
})
