/** Webhooks that one mail lists; of any beyond it tells how many there are. */
const MOST_LISTED = 50

/** What a mail tells of one webhook. */
export interface ToldOfWebhook {
  webhook_config_id: string
}

/** The same of several: the first stands as it would alone, so that a version which knows of no others tells of it. */
export type Digest<Told extends ToldOfWebhook> = Told & {
  others?: Told[] | undefined
  more?: number | undefined
}

/** Adds what is new to what a mail tells. A webhook is told of once, as it stands last. */
export function gatherDigest<Told extends ToldOfWebhook>(
  told: Digest<Told> | undefined,
  added: readonly Told[],
): Digest<Told> | undefined {
  const all = new Map(listDigest(told).map((one) => [one.webhook_config_id, one]))
  let more = told?.more ?? 0
  for (const one of added) {
    if (all.size < MOST_LISTED || all.has(one.webhook_config_id)) all.set(one.webhook_config_id, one)
    else more += 1
  }
  const [first, ...others] = all.values()
  return first === undefined ? undefined : { ...first, others, more }
}

/** Every webhook that a mail lists. */
export function listDigest<Told extends ToldOfWebhook>(digest: Digest<Told> | undefined): Told[] {
  return digest === undefined ? [] : [digest, ...(digest.others ?? [])]
}
