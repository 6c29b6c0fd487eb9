import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The numbers in titles: "(check 7)", "(checks 10, 26)". */
function readNumbers(text: string): number[] {
  const titles = text.matchAll(/\(checks? ([\d, ]+)\)/g)
  return [...titles].flatMap(([, list = '']) => list.split(',').map(Number))
}

it('names each check of docs/interface-checks.md in a browser test, in the file that the table says', () => {
  const rows = readFileSync('docs/interface-checks.md', 'utf8').matchAll(/^\| (\d+) \| [^|]+ \| ([^|]+) \|/gm)
  const found = [...rows].map(([, number, tests = '']) => {
    const file = /[a-z]+\/[a-z-]+/.exec(tests.includes('page-security') ? 'app/page-security' : tests)?.[0]
    return {
      number: Number(number),
      isNamed: readNumbers(readFileSync(`tests/e2e/${file}.test.ts`, 'utf8')).includes(Number(number)),
    }
  })
  expect(found).toEqual(Array.from({ length: 30 }, (_, index) => ({ number: index + 1, isNamed: true })))
  const all = globSync('tests/e2e/**/*.test.ts').flatMap((file) => readNumbers(readFileSync(file, 'utf8')))
  expect(Math.max(...all)).toBe(30)
})
