/** The name that a request is counted by, whatever is limited. */
export interface Sender {
  /** the id of an approved account or a source, else a network */
  name: string
  /** nobody has approved it: it shares its network's limits, and those of all strangers */
  isStranger: boolean
}
