/** One area's part of the context, and how it ends. */
export interface Opened<Part> {
  part: Part
  close: () => Promise<void>
}
