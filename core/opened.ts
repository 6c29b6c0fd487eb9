/** One area's part of the context, and how it ends. */
export interface Opened<Part> {
  part: Part
  close: () => Promise<void>
}

/** Keeps what was opened, to close it in reverse: what came later leans on what was there. */
export function createClosing(): {
  keep: <Part>(opened: Opened<Part>) => Part
  close: () => Promise<void>
} {
  const closers: (() => Promise<void>)[] = []
  return {
    keep: ({ part, close }) => {
      closers.push(close)
      return part
    },
    close: async () => {
      for (const close of closers.toReversed()) await close()
    },
  }
}
