import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import {
  mailAddressesSchema,
  signingSecretSchema,
  webhookConfigSchema,
  webhookLimitSchema,
  type WebhookConfig,
} from '#core/contract/webhooks/webhook-config.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request, requestText } from '#web/api/client.ts'
import { isNotFound, isRefusal } from '#web/api/errors.ts'
import { certificationGradesQuery } from './certification-grades.ts'
import { createWebhookOnce, type OvertakenWebhook, type SavedWebhook } from './create-webhook-once.ts'
import { readWebhookConfigText, type EditableWebhookConfig } from './webhook-config-text.ts'

const PATH = apiPath('webhook-configs')
const PAGE_SIZE = '100'

const configPageSchema = pageSchema(webhookConfigSchema)

/**
 * Key of the query in web/webhooks/queries/endpoint-health.ts; changing a configuration changes its health.
 */
export const endpointHealthKey = ['webhook-configs', 'health'] as const

function configPath(id: string, ...parts: string[]) {
  return apiPath('webhook-configs', id, ...parts)
}

/** All configurations of the client, newest first. */
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

/** The maximum number of configurations. The server's operator sets it, so it is requested once. */
export const webhookLimitQuery = queryOptions({
  queryKey: ['webhook-limit'],
  queryFn: ({ signal }) => request(`${PATH}/limit`, webhookLimitSchema, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The addresses to which webhooks may send mail. */
export const mailAddressesQuery = queryOptions({
  queryKey: ['webhook-mail-addresses'],
  queryFn: ({ signal }) => request(`${PATH}/mail-addresses`, mailAddressesSchema, { signal }),
})

async function readEditable(id: string, signal?: AbortSignal) {
  return readWebhookConfigText(await requestText(configPath(id), signal === undefined ? {} : { signal }))
}

/**
 * One configuration with its JSON texts. Each dialog requests it once and does not refresh it during the
 * edit.
 */
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

/** Rotates the secret at once; the old one also signs for a day. Keep `key` until the answer has come. */
export function useRotateSecret(id: string) {
  return useSecretChange(id, (key: string) =>
    request(configPath(id, 'secret', 'rotate'), signingSecretSchema, {
      method: 'POST',
      idempotencyKey: key,
    }),
  )
}

/** Ends the overlap: the old secret no longer signs. */
export function useEndSecretOverlap(id: string) {
  return useSecretChange(id, () =>
    request(configPath(id, 'secret', 'previous'), z.unknown(), { method: 'DELETE' }),
  )
}

function useSecretChange<Variables, Answer>(id: string, change: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: certificationGradesQuery.queryKey })
      return queryClient.invalidateQueries({ queryKey: signingSecretQuery(id).queryKey })
    },
  })
}

/** `id` is null for a new configuration. */
export interface SaveWebhook {
  id: string | null
  jsonText: string
  /** true if the stored version is no longer the one that the form began with */
  isOvertakenBy: (now: EditableWebhookConfig) => boolean
}

/** Saves one opened form; all of its tries use one idempotency key ({@link createWebhookOnce}). */
export function useSaveWebhook() {
  const [tries] = useState(() => ({ key: crypto.randomUUID(), unanswered: new Set<string>() }))
  const create = (jsonText: string) =>
    request(PATH, webhookConfigSchema, { method: 'POST', jsonText, idempotencyKey: tries.key })
  return useChange(async (save: SaveWebhook): Promise<SavedWebhook | OvertakenWebhook> => {
    const { id, jsonText } = save
    if (id === null) return await createWebhookOnce(create, tries.unanswered, jsonText)
    // After an unanswered try, the stored version may be our own.
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
 * Switches a webhook on or off. The request contains only `is_active` and `updated_at` (docs/product.md §7);
 * the server uses its own clock. `show` changes only the screen: before the answer, and back after a refusal.
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
    // A request in flight began before this change, so its answer would be stale.
    await queryClient.cancelQueries({ queryKey: webhookConfigsQuery.queryKey })
    queryClient.setQueryData(webhookConfigsQuery.queryKey, (configs) =>
      configs?.map((config) => (config.id === id ? { ...config, is_active } : config)),
    )
  }
  return { ...change, show }
}

/** Lets a webhook also send leads when they are assigned, as every bought lead is. */
export function useTriggerOnAssigned() {
  return useChange((id: string) =>
    request(configPath(id), webhookConfigSchema, {
      method: 'PATCH',
      body: { trigger_on_lead_assigned: true, updated_at: new Date().toISOString() },
    }),
  )
}

/**
 * Deletes a webhook. If it is already gone, that counts as success: an earlier try's answer may have been
 * lost.
 */
export function useDeleteWebhook() {
  return useChange(async (id: string) => {
    try {
      await request(configPath(id), z.unknown(), { method: 'DELETE' })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  })
}

/**
 * A change is finished when the list on screen shows it. After a failure the list is refreshed too, because
 * it may be stale.
 */
function useChange<Variables, Answer>(change: (variables: Variables) => Promise<Answer>) {
  const queryClient = useQueryClient()
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: endpointHealthKey })
    void queryClient.invalidateQueries({ queryKey: certificationGradesQuery.queryKey })
    return queryClient.invalidateQueries({ queryKey: webhookConfigsQuery.queryKey })
  }
  return useMutation({ mutationFn: change, onSuccess: refresh, onError: () => void refresh() })
}
