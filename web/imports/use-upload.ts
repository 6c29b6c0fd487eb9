import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  leadImportSchema,
  type Delimiter,
  type Encoding,
  type LeadImport,
} from '#core/contract/imports/lead-import.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { useIdempotencyKeys, type IdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { importQuery } from './import-queries.ts'
import { sendFile } from './send-file.ts'

/** Which file, into which source, and how it is to be read where that is not to be found out. */
export interface UploadWish {
  file: File
  source_id: string
  encoding: Encoding | null
  delimiter: Delimiter | null
  header: number | null
  /** begun before, and broken off */
  begun?: LeadImport
  /** the import of the same file that this one stands for */
  instead?: string
}

/** @param onBegun told the import as soon as there is one */
export function useUpload(onBegun: (id: string) => void) {
  const queryClient = useQueryClient()
  const [sent, setSent] = useState(0)
  const keys = useIdempotencyKeys()
  const upload = useMutation({
    // Each part is repeated by itself.
    retry: false,
    mutationFn: async ({ file, begun, instead, ...read }: UploadWish) => {
      setSent(begun?.received ?? 0)
      const body = { ...read, file_name: file.name.slice(-200), size: file.size }
      const known = begun ?? (await begin(body, keys))
      onBegun(known.id)
      if (instead !== undefined) await cancelQuietly(instead)
      const whole = await sendFile(file, known, setSent)
      queryClient.setQueryData(importQuery(known.id).queryKey, whole)
    },
  })
  const { error, variables } = upload
  return {
    send: upload.mutate,
    isBusy: upload.isPending,
    file: variables?.file,
    sent,
    faultOf: (path: string) =>
      error instanceof ApiError ? error.errors.find((fault) => fault.path === path)?.message : undefined,
    failure:
      error === null || (error instanceof ApiError && error.errors.length > 0)
        ? undefined
        : errorSentence(error),
  }
}

/** One import for one wish, however often its answer is lost. */
async function begin(body: object, { keyOf, settle }: IdempotencyKeys): Promise<LeadImport> {
  const wish = JSON.stringify(body)
  const options = { method: 'POST', body, idempotencyKey: keyOf(wish) } as const
  const begun = await request(apiPath('admin', 'imports'), leadImportSchema, options)
  settle(wish)
  return begun
}

/** Whoever forgets it removes its rows in some days. */
async function cancelQuietly(id: string): Promise<void> {
  const cancelled = request(apiPath('admin', 'imports', id, 'cancel'), leadImportSchema, { method: 'POST' })
  await cancelled.catch(() => undefined)
}
