import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'

/**
 * Renders a chart for tests, where Helm is missing. It knows the forms that our chart uses, and refuses others:
 * `if`, `else`, `range $key, $value :=`, `define`, pipelines without parentheses, and a few functions. It is
 * stricter than Helm: an unknown value is an error, not `<no value>`.
 */
type Scope = Readonly<Record<string, unknown>>
type Item = { text: string } | { action: string }
interface Template {
  items: readonly Item[]
}

const FUNCTIONS: Record<string, (...args: unknown[]) => unknown> = {
  quote: (value) => JSON.stringify(asText(value)),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  toYaml: (value) => stringify(value).trimEnd(),
  nindent: (spaces, text) => `\n${asText(text).replaceAll(/^/gm, ' '.repeat(Number(spaces)))}`,
  b64enc: (text) => Buffer.from(asText(text)).toString('base64'),
  eq: (one, other) => one === other,
  not: (value) => !isTrue(value),
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`A value that is no text: ${JSON.stringify(value)}`)
}

function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

/** Dashes remove the white space on their side, with line breaks. */
function split(source: string): Item[] {
  const parts = source
    .replaceAll(/\s*\{\{-/g, '{{')
    .replaceAll(/-\}\}\s*/g, '}}')
    .split(/\{\{([^]*?)\}\}/)
  return parts.map((part, index) => (index % 2 === 0 ? { text: part } : { action: part.trim() }))
}

class Renderer {
  readonly templates = new Map<string, Template>()

  /** Renders items until the `end` or `else` of this level, which it returns. */
  run(items: readonly Item[], start: number, scope: Scope, isShown: boolean): { text: string; next: number } {
    let text = ''
    let at = start
    for (; at < items.length; at += 1) {
      const item = items[at]
      if (item === undefined) break
      if ('text' in item) {
        text += item.text
        continue
      }
      const { action } = item
      if (action === 'end' || action === 'else') break
      const [, keyword = '', rest = ''] = /^(if|range|define) (.*)$/.exec(action) ?? []
      if (keyword === '') {
        if (isShown) text += asText(this.pipeline(action, scope))
        continue
      }
      const block =
        keyword === 'if'
          ? this.choose(rest, items, at + 1, scope, isShown)
          : keyword === 'range'
            ? this.repeat(rest, items, at + 1, scope, isShown)
            : this.define(rest, items, at + 1, scope)
      text += block.text
      at = block.next
    }
    return { text: isShown ? text : '', next: at }
  }

  choose(condition: string, items: readonly Item[], start: number, scope: Scope, isShown: boolean) {
    const isChosen = isShown && isTrue(this.pipeline(condition, scope))
    const first = this.run(items, start, scope, isChosen)
    const stop = items[first.next]
    if (stop === undefined || !('action' in stop)) throw new Error(`An if without an end: ${condition}`)
    if (stop.action === 'end') return first
    const second = this.run(items, first.next + 1, scope, isShown && !isChosen)
    return { text: first.text + second.text, next: second.next }
  }

  repeat(expression: string, items: readonly Item[], start: number, scope: Scope, isShown: boolean) {
    const [, key = '', value = '', over = ''] = /^(\$\w+), (\$\w+) := (.+)$/.exec(expression) ?? []
    if (over === '') throw new Error(`An unknown form of range: ${expression}`)
    const entries = isShown ? Object.entries(this.pipeline(over, scope) as object) : []
    // Helm gives `.` another meaning inside, so only these two names are known there.
    const parts = entries.map(([name, each]) => this.run(items, start, { [key]: name, [value]: each }, true))
    return { text: parts.map(({ text }) => text).join(''), next: this.run(items, start, scope, false).next }
  }

  define(name: string, items: readonly Item[], start: number, scope: Scope) {
    const { next } = this.run(items, start, scope, false)
    this.templates.set(String(JSON.parse(name)), { items: items.slice(start, next) })
    return { text: '', next }
  }

  pipeline(expression: string, scope: Scope): unknown {
    let result: unknown
    for (const [index, command] of expression.split(' | ').entries()) {
      const [name = '', ...words] = command.match(/"[^"]*"|\S+/g) ?? []
      const args = [...words.map((word) => this.term(word, scope)), ...(index === 0 ? [] : [result])]
      if (name === 'include') {
        const template = this.templates.get(String(args[0]))
        if (template === undefined) throw new Error(`No template ${String(args[0])}`)
        result = this.run(template.items, 0, scope, true).text
      } else if (FUNCTIONS[name] === undefined && words.length === 0 && index === 0)
        result = this.term(name, scope)
      else result = (FUNCTIONS[name] ?? unknownForm(command))(...args)
    }
    return result
  }

  term(word: string, scope: Scope): unknown {
    if (word === '.') return scope
    if (/^("[^"]*"|\d+)$/.test(word)) return JSON.parse(word)
    const names = word.startsWith('$') ? [word] : word.split('.').slice(1)
    if (!/^(\$\w+|(\.\w+)+)$/.test(word)) return unknownForm(word)
    return names.reduce<unknown>((value, name) => {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
        throw new Error(`No value ${word}`)
      return (value as Scope)[name]
    }, scope)
  }
}

function unknownForm(text: string): never {
  throw new Error(`An unknown form: ${text}`)
}

/** Helm's merge of values: objects member by member, everything else as a whole. */
export function mergeValues(base: unknown, over: unknown): unknown {
  const isMap = (value: unknown): value is Scope =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap(base) || !isMap(over)) return over
  const names = new Set([...Object.keys(base), ...Object.keys(over)])
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      Object.hasOwn(over, name) ? mergeValues(base[name], over[name]) : base[name],
    ]),
  )
}

/** The objects of a chart, with the release `lw` in the namespace `leads`. @throws at any form that it does not know */
export function renderChart(folder: string, values: unknown): Array<Record<string, unknown>> {
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
  const {
    name: Name,
    version: Version,
    appVersion: AppVersion,
  } = parse(read('Chart.yaml')) as Record<string, string>
  const scope: Scope = {
    Values: values,
    Chart: { Name, Version, AppVersion },
    Release: { Name: 'lw', Namespace: 'leads', Service: 'Helm' },
  }
  const renderer = new Renderer()
  const files = readdirSync(path.join(folder, 'templates')).toSorted()
  const texts = files.map((file) => renderer.run(split(read(`templates/${file}`)), 0, scope, true).text)
  return texts.flatMap((text) =>
    parseAllDocuments(text, { uniqueKeys: true })
      .map((document) => {
        if (document.errors[0] !== undefined) throw new Error(`${document.errors[0].message}\n${text}`)
        return document.toJS() as Record<string, unknown> | null
      })
      .filter((object) => object !== null),
  )
}
