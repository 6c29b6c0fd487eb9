import { waitPlainly, type WaitFor } from './stop-in-time.ts'

/** One area's part of the context, and how to close it. */
export interface Opened<Part> {
  part: Part
  close: () => Promise<void>
}

/** Collects opened parts, to close them in reverse order, because later parts use earlier ones. */
export function createClosing(): {
  /** @param name the name in the log if it does not close */
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
