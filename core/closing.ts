import { waitPlainly, type WaitFor } from './stop-in-time.ts'

/** One area's part of the context, and how it ends. */
export interface Opened<Part> {
  part: Part
  close: () => Promise<void>
}

/** Keeps what was opened, to close it in reverse: what came later leans on what was there. */
export function createClosing(): {
  /** @param name what is told when it does not close */
  keep: <Part>(name: string, opened: Opened<Part>) => Part
  close: (waitFor?: WaitFor) => Promise<void>
} {
  const closers: { name: string; close: () => Promise<void> }[] = []
  return {
    keep: (name, { part, close }) => {
      closers.push({ name, close })
      return part
    },
    close: async (waitFor = waitPlainly) => {
      for (const { name, close } of closers.toReversed()) await waitFor(name, close)
    },
  }
}
