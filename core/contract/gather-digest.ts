/** Limit of webhooks in a waiting mail, each once. Further notices are only counted. */
const MOST_HELD = 1000

/** One webhook in a mail. */
export interface ToldOfWebhook {
  webhook_config_id: string
}

/**
 * Several webhooks in a mail. The first has the form of a mail about one webhook, so that an older version can still
 * send it.
 */
export type Digest<Told extends ToldOfWebhook> = Told & {
  others?: Told[] | undefined
  more?: number | undefined
}

/** Adds webhooks to a waiting mail. Each webhook is in it once, with its latest status. */
export function gatherDigest<Told extends ToldOfWebhook>(
  told: Digest<Told> | undefined,
  added: readonly Told[],
): Digest<Told> | undefined {
  const all = new Map(listDigest(told).map((one) => [one.webhook_config_id, one]))
  let more = told?.more ?? 0
  for (const one of added) {
    if (all.size < MOST_HELD || all.has(one.webhook_config_id)) all.set(one.webhook_config_id, one)
    else more += 1
  }
  const [first, ...others] = all.values()
  return first === undefined ? undefined : { ...first, others, more }
}

/**
 * Keeps those webhooks in a mail whose notice is still true, with their present facts.
 * @returns undefined if none is left
 */
export function refreshDigest<Told extends ToldOfWebhook>(
  told: Digest<Told>,
  now: ReadonlyMap<string, object>,
): Digest<Told> | undefined {
  const [first, ...others] = listDigest(told).flatMap((one) => {
    const fresh = now.get(one.webhook_config_id)
    return fresh === undefined ? [] : [{ ...one, ...fresh }]
  })
  return first === undefined ? undefined : { ...first, others, more: told.more }
}

/** Every webhook in a mail. */
export function listDigest<Told extends ToldOfWebhook>(digest: Digest<Told> | undefined): Told[] {
  return digest === undefined ? [] : [digest, ...(digest.others ?? [])]
}
