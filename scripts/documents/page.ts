/** One file under check, with its lines. */
export interface Page {
  file: string
  lines: readonly string[]
}

/** A name that a reader would not find. `line` counts from 1. */
export interface Fault {
  file: string
  line: number
  reason: string
}

/**
 * The page of a program with everything blank except its comments. A comment begins its line, or follows code
 * and a space; the formatter writes them no other way.
 */
export function onlyComments({ file, lines }: Page): Page {
  let isInside = false
  const comments = lines.map((line) => {
    const isComment = isInside || /^\s*(\{?\/\*|\/\/|\*)/.test(line)
    if (isInside || /^\s*\{?\/\*/.test(line)) isInside = !line.includes('*/')
    return isComment ? line : (/\s(\/\/ .*|\/\*\*? .*\*\/.*)$/.exec(line)?.[1] ?? '')
  })
  return { file, lines: comments }
}

/** The lines of a document, with the lines of fenced blocks blank. */
export function withoutFences(lines: readonly string[]): string[] {
  let isFenced = false
  return lines.map((line) => {
    const isFence = line.startsWith('```')
    if (isFence) isFenced = !isFenced
    return isFence || isFenced ? '' : line
  })
}
