/** Webhooks that one mail lists; it counts the others. */
const MOST_LISTED = 50

/** One webhook in a mail. */
export interface ToldOfWebhook {
  webhook_config_id: string
}

/** Several webhooks in a mail. The first keeps the shape of a mail about one, so that an older version can still send it. */
export type Digest<Told extends ToldOfWebhook> = Told & {
  others?: Told[] | undefined
  more?: number | undefined
}

/** Adds webhooks to a mail that waits. Each webhook is listed once, in its latest status. */
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
