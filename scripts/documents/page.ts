/** One file under check, with its lines. */
export interface Page {
  file: string
  lines: readonly string[]
}

/** Something that a reader would look for in vain. `line` counts from 1. */
export interface Fault {
  file: string
  line: number
  reason: string
}

/**
 * The page of a program with everything blank but its comments. Judged line by line: a comment begins its line, or stands behind
 * code and a space. Prettier writes them no other way.
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

/** The lines of a document with those of fenced blocks blank. */
export function withoutFences(lines: readonly string[]): string[] {
  let isFenced = false
  return lines.map((line) => {
    const isFence = line.startsWith('```')
    if (isFence) isFenced = !isFenced
    return isFence || isFenced ? '' : line
  })
}
