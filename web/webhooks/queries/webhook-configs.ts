import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import {
  signingSecretSchema,
  webhookConfigSchema,
  webhookLimitSchema,
  type WebhookConfig,
} from '#core/contract/webhooks/webhook-config.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request, requestText } from '#web/api/client.ts'
import { isNotFound, isRefusal } from '#web/api/errors.ts'
import { createWebhookOnce, type OvertakenWebhook, type SavedWebhook } from './create-webhook-once.ts'
import { readWebhookConfigText, type EditableWebhookConfig } from './webhook-config-text.ts'

const PATH = apiPath('webhook-configs')
const PAGE_SIZE = '100'

const configPageSchema = pageSchema(webhookConfigSchema)

/** Of web/webhooks/queries/endpoint-health.ts; a change of a configuration changes how it does. */
export const endpointHealthKey = ['webhook-configs', 'health'] as const

function configPath(id: string, ...parts: string[]) {
  return apiPath('webhook-configs', id, ...parts)
}

/** All configurations of the signed-in client, newest first. */
export const webhookConfigsQuery = queryOptions({
  queryKey: ['webhook-configs', 'list'],
  queryFn: async ({ signal }) => {
    const configs: WebhookConfig[] = []
    let cursor: string | null = ''
    do {
      const url = withQuery(PATH, { limit: PAGE_SIZE, cursor })
      const page: z.infer<typeof configPageSchema> = await request(url, configPageSchema, { signal })
      configs.push(...page.data)
      cursor = page.next_cursor
    } while (cursor !== null)
    return configs
  },
})

/** How many there may be; the server's operator sets it, so it is asked once. */
export const webhookLimitQuery = queryOptions({
  queryKey: ['webhook-limit'],
  queryFn: ({ signal }) => request(`${PATH}/limit`, webhookLimitSchema, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

async function readEditable(id: string, signal?: AbortSignal) {
  return readWebhookConfigText(await requestText(configPath(id), signal === undefined ? {} : { signal }))
}

/** One configuration with its JSON texts, asked for anew by each dialog and then left alone while it is edited. */
export function editableWebhookQuery(id: string) {
  return queryOptions({
    queryKey: ['webhook-configs', 'text', id],
    queryFn: ({ signal }) => readEditable(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** The signing secret; it leaves the cache with the section that shows it. */
export function signingSecretQuery(id: string) {
  return queryOptions({
    queryKey: ['webhook-configs', 'secret', id],
    queryFn: ({ signal }) => request(configPath(id, 'secret'), signingSecretSchema, { signal }),
    gcTime: 0,
  })
}

/** A new secret at once; the old one signs beside it for a day. `key` stays the same until the answer has come. */
export function useRotateSecret(id: string) {
  return useSecretChange(id, (key: string) =>
    request(configPath(id, 'secret', 'rotate'), signingSecretSchema, {
      method: 'POST',
      idempotencyKey: key,
    }),
  )
}

/** The old secret signs no longer. */
export function useEndSecretOverlap(id: string) {
  return useSecretChange(id, () =>
    request(configPath(id, 'secret', 'previous'), z.unknown(), { method: 'DELETE' }),
  )
}

function useSecretChange<Variables, Answer>(id: string, change: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: signingSecretQuery(id).queryKey }),
  })
}

/** `id` is null for a new configuration. */
export interface SaveWebhook {
  id: string | null
  jsonText: string
  /** whether what is stored now is no longer what the form began with */
  isOvertakenBy: (now: EditableWebhookConfig) => boolean
}

/** Saves what one opened form holds; all of its tries go under one key ({@link createWebhookOnce}). */
export function useSaveWebhook() {
  const [tries] = useState(() => ({ key: crypto.randomUUID(), unanswered: new Set<string>() }))
  const create = (jsonText: string) =>
    request(PATH, webhookConfigSchema, { method: 'POST', jsonText, idempotencyKey: tries.key })
  return useChange(async (save: SaveWebhook): Promise<SavedWebhook | OvertakenWebhook> => {
    const { id, jsonText } = save
    if (id === null) return await createWebhookOnce(create, tries.unanswered, jsonText)
    // What is stored may be one's own earlier try.
    if (tries.unanswered.size === 0) {
      const now = await readEditable(id)
      if (save.isOvertakenBy(now)) return { outcome: 'overtaken', now }
    }
    tries.unanswered.add(jsonText)
    try {
      const config = await request(configPath(id), webhookConfigSchema, { method: 'PATCH', jsonText })
      return { outcome: 'saved', config }
    } catch (error) {
      if (isRefusal(error)) tries.unanswered.delete(jsonText)
      throw error
    }
  })
}

/**
 * docs/product.md §7: the toggle sends only `is_active` and `updated_at`; the server goes by its own clock. `show` changes only what is
 * on screen: before the answer has come, and back where it is a refusal.
 */
export function useToggleWebhook() {
  const queryClient = useQueryClient()
  const change = useChange(({ id, is_active }: Pick<WebhookConfig, 'id' | 'is_active'>) =>
    request(configPath(id), webhookConfigSchema, {
      method: 'PATCH',
      body: { is_active, updated_at: new Date().toISOString() },
    }),
  )
  const show = async ({ id, is_active }: Pick<WebhookConfig, 'id' | 'is_active'>) => {
    // An answer that is on its way was asked for before.
    await queryClient.cancelQueries({ queryKey: webhookConfigsQuery.queryKey })
    queryClient.setQueryData(webhookConfigsQuery.queryKey, (configs) =>
      configs?.map((config) => (config.id === id ? { ...config, is_active } : config)),
    )
  }
  return { ...change, show }
}

/** Whoever finds it gone has what they wanted: it may be their own earlier try whose answer was lost. */
export function useDeleteWebhook() {
  return useChange(async (id: string) => {
    try {
      await request(configPath(id), z.unknown(), { method: 'DELETE' })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  })
}

/** A change has succeeded when the list on screen shows it; after a failure the list may still be out of date. */
function useChange<Variables, Answer>(change: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient()
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: endpointHealthKey })
    return queryClient.invalidateQueries({ queryKey: webhookConfigsQuery.queryKey })
  }
  return useMutation({ mutationFn: change, onSuccess: refresh, onError: () => void refresh() })
}
