import { readFileSync } from 'node:fs'
import { asCode, writeTable } from './write-table.ts'

const EXAMPLE = new URL('../../../.env.example', import.meta.url)

interface Group {
  title: string
  rows: string[][]
}

/**
 * Every variable of the environment. A test keeps the names and defaults of .env.example equal to the schema
 * that parses it.
 */
export function listVariables(): string {
  const groups: Group[] = []
  let words: string[] = []
  let isFresh = true
  for (const line of readFileSync(EXAMPLE, 'utf8').split('\n')) {
    const [, title] = /^# --- (.*) ---$/.exec(line) ?? []
    const [, name, value = ''] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
    if (title !== undefined) {
      groups.push({ title, rows: [] })
      words = []
    } else if (line.startsWith('#')) {
      if (!isFresh) words = []
      isFresh = true
      words.push(line)
    } else if (name !== undefined) {
      const says = isFresh ? readWords(words) : words.length === 0 ? '' : 'See the variable above'
      groups.at(-1)?.rows.push([asCode(name), value === '' ? 'unset' : asCode(value), says])
      isFresh = false
    } else {
      words = []
      isFresh = true
    }
  }
  return groups.map(({ title, rows }) => writeGroup(title, rows)).join('\n\n')
}

/** A comment's lines as one text; indented lines are a command. */
function readWords(lines: readonly string[]): string {
  const command = lines.filter((line) => line.startsWith('#   ')).map((line) => line.slice(1).trim())
  const text = lines.filter((line) => !line.startsWith('#   ')).map((line) => line.slice(1).trim())
  return [text.join(' '), ...(command.length === 0 ? [] : [asCode(command.join(' '))])].join(' ')
}

/** A heading is short: the rest of a long title stands below it. */
function writeGroup(title: string, rows: readonly (readonly string[])[]): string {
  const [, first = title, more] = /^([^;,(]+)(?:[;,] (.*)|\s(\(.*\)))?$/.exec(title) ?? []
  const below = more === undefined ? '' : `${more.charAt(0).toUpperCase()}${more.slice(1)}.\n\n`
  const heading = first.replaceAll('`', '').trim()
  return `### ${heading}\n\n${below}${writeTable(['Variable', 'Default', 'What it does'], rows)}`
}
