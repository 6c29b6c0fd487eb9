import { expect, test } from 'vitest'
import { choosePieces, listTrigrams } from '#core/data/leads/lists/choose-pieces.ts'

test('a search is split into the three-letter pieces of its words and numbers', () => {
  expect(listTrigrams('Ann Lee-Ba')).toEqual(['ann', 'lee'])
  expect(listTrigrams('(512) 0143')).toEqual(['512', '014', '143'])
  expect(listTrigrams('a@b.c')).toEqual([])
})

/** Returns the pieces chosen for a search, given a sample of texts; no text contains other pieces. */
const choose = (search: string, texts: readonly string[] = []) =>
  choosePieces(
    search,
    new Map(
      listTrigrams(search).map((trigram) => [
        trigram,
        texts
          .map((text) => (text.includes(trigram) ? '1' : '0'))
          .join('')
          .padEnd(200, '0'),
      ]),
    ),
  )

const many = (text: string, count: number): string[] => Array.from({ length: count }, () => text)

test('rare pieces are looked up, and pieces that occur in every text are not', () => {
  const texts = many('example.com', 200)
  const { pieces, part } = choose('Zangalfield@example.com', texts)
  expect(pieces).toHaveLength(4)
  expect(pieces.every((piece) => 'Zangalfield'.includes(piece))).toBe(true)
  expect(part).toBeLessThan(1 / 1000)
  expect(choose('xq', texts)).toEqual({ pieces: [], part: 1 })
})

test('one piece of a word is enough if another word is more selective', () => {
  // The pieces of one word always occur together, so a second one of the same word excludes no text.
  const texts = [...many('field', 20), ...many('casey', 22)]
  expect(choose('field.casey', texts).pieces.slice(0, 2).toSorted()).toEqual(['cas', 'fie'])
})

test('rare digits are looked up instead of digits that many phones contain', () => {
  const { pieces } = choose('+17275550143', many('+15125551234', 200))
  expect(pieces).not.toContain('555')
  expect(pieces).toHaveLength(4)
})

test('pieces without a count are not looked up', () => {
  const name = 'quindreleyzandregrimanfield.jordan'
  const { pieces } = choose(`${name}392065@example.com`)
  expect(pieces.every((piece) => name.includes(piece))).toBe(true)
})

test('pieces keep the spelling of the search', () => {
  expect(choose('ÁRPÁD').pieces.toSorted()).toEqual(['PÁD', 'RPÁ', 'ÁRP'].toSorted())
})
