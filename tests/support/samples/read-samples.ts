import type { SitePage } from '#scripts/site/read-pages.ts'

/**
 * A fenced block of a page. After its language come words and `key=value` pairs: `run` (it is run),
 * `background` (it keeps running until the page ends), `file=NAME` (it is stored under this name), `output`
 * (the output of the sample above; `…` matches anything), `schema=NAME` (of JSON), `varies=NAME,NAME`
 * (members of JSON whose printed values differ each time), `needs=COMMAND` or
 * `needs=python:MODULE`.
 */
export interface Sample {
  page: string
  /** counted from the first line after the front matter */
  line: number
  language: string
  words: ReadonlySet<string>
  values: Readonly<Record<string, string>>
  text: string
}

/** Returns every fenced block of a page, in order. */
export function readSamples({ path, markdown }: Pick<SitePage, 'path' | 'markdown'>): Sample[] {
  const samples: Sample[] = []
  let open: (Omit<Sample, 'text'> & { lines: string[] }) | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    const [fence, info = ''] = /^```(.*)$/.exec(line) ?? []
    if (fence === undefined) {
      open?.lines.push(line)
    } else if (open === undefined) {
      const [language = '', ...rest] = info.trim().split(/\s+/)
      const pairs = rest.filter((word) => word.includes('=')).map((word) => word.split('='))
      open = {
        page: path,
        line: index + 1,
        language,
        words: new Set(rest.filter((word) => !word.includes('='))),
        values: Object.fromEntries(pairs) as Record<string, string>,
        lines: [],
      }
    } else {
      const { lines, ...sample } = open
      samples.push({ ...sample, text: `${lines.join('\n')}\n` })
      open = undefined
    }
  }
  if (open !== undefined) throw new Error(`${path}: the block of line ${open.line} has no end`)
  return samples
}
