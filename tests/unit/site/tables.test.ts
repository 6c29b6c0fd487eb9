import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ENVIRONMENT_VARIABLES } from '#core/config/config.ts'
import { PROBLEM_CODES } from '#core/contract/problem.ts'
import { INGEST_FIELDS } from '#core/contract/leads/lead-ingest.ts'
import { ERROR_CLASSES } from '#core/contract/webhooks/delivery.ts'
import { PLACEHOLDERS } from '#core/domain/webhooks/template/placeholders.ts'
import { renderMarkdown } from '#scripts/site/render-markdown.ts'
import { renderTable, TABLE_NAMES } from '#scripts/site/tables/render-table.ts'
import { writeTable } from '#scripts/site/tables/write-table.ts'

/** Returns the code in the first column. */
const named = (name: string) =>
  renderTable(name)
    .split('\n')
    .flatMap((line) => /^\| `([^`]+)` \|/.exec(line)?.[1] ?? [])

describe('a table of the documentation', () => {
  it('has the name of its column in each cell if two columns are sentences, for cards on a phone', () => {
    const long = 'a sentence that is too long to stand beside another'
    const render = (rows: string[][]) =>
      renderMarkdown(writeTable(['State', 'Law', 'Notes'], rows), {
        highlightCode: (code) => code,
        images: new Map(),
      }).html
    const cards = render([
      ['Texas', `[${long}](https://example.com)`, long],
      ['Utah', '', 'short'],
    ])
    expect(cards).toContain('<div class="table-frame cards" tabindex="0"><table role="table">')
    expect(cards).toContain('<td role="cell" data-label="Law"><a href="https://example.com">')
    expect(cards).toContain('<td role="cell" data-label="Notes">short</td>')
    const plain = render([['Texas', long, 'short']])
    expect(plain).toContain('<div class="table-frame" tabindex="0"><table>')
    expect(plain).not.toContain('data-label')
  })

  it.each([
    ['placeholders', PLACEHOLDERS.map(({ name }) => `{{${name}}}`)],
    ['environment-variables', ENVIRONMENT_VARIABLES],
    ['error-classes', ERROR_CLASSES],
    ['problem-codes', PROBLEM_CODES],
    ['lead-fields', [...INGEST_FIELDS]],
  ])('%s names each existing item once', (name, wanted) => {
    expect(named(name).toSorted()).toEqual(wanted.toSorted())
  })

  it.each(TABLE_NAMES)('%s has as many cells in each row as in its header', (name) => {
    const blocks = renderTable(name)
      .split('\n\n')
      .filter((block) => block.startsWith('|'))
    expect(blocks.length).toBeGreaterThan(0)
    for (const block of blocks) {
      const counts = block.split('\n').map((line) => line.replaceAll('\\|', '').split('|').length)
      expect(new Set(counts).size, block).toBe(1)
    }
  })

  it.each([
    ['Body of a request', '1 MiB'],
    ['Part of an answer that is read, headers included', '512 KiB'],
    ['Formats of one placeholder', '5'],
    ['Fields of a form', '1,000'],
    [
      'Memory for the unanswered requests and unread answers of one account, source or network',
      '64 MiB; 256 MiB for all together',
    ],
    ['Time to send the headers of a request; the whole request', '20 s; 120 s'],
  ])('of limits shows %s', (what, most) => {
    expect(renderTable('limits')).toContain(`| ${what} | ${most} |`)
  })

  it('of correct names is distinguished from one with a wrong name', () => {
    expect(() => renderTable('nothing')).toThrow('There is no table "nothing"')
  })

  it('keeps pipes and line breaks inside one cell', () => {
    expect(writeTable(['a'], [['1|2\n3']])).toBe('| a |\n| --- |\n| 1\\|2 3 |')
  })

  it('shows the default of a variable as .env.example has it', () => {
    const line = /^WEBHOOK_TIMEOUT_MS=(\d+)$/m.exec(readFileSync('.env.example', 'utf8'))
    expect(renderTable('environment-variables')).toContain(`| \`WEBHOOK_TIMEOUT_MS\` | \`${line?.[1]}\` |`)
  })
})
