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

/** The file, its source, and reading settings for what should not be detected. */
export interface UploadWish {
  file: File
  source_id: string
  encoding: Encoding | null
  delimiter: Delimiter | null
  header: number | null
  /** an interrupted upload to resume */
  begun?: LeadImport
  /** id of the import of the same file that this one replaces */
  instead?: string
}

/** @param onBegun called with the id as soon as the import exists */
export function useUpload(onBegun: (id: string) => void) {
  const queryClient = useQueryClient()
  const [sent, setSent] = useState(0)
  const keys = useIdempotencyKeys()
  const upload = useMutation({
    // sendFile already retries each part.
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

/** Creates an import. If the answer is lost, the next try gets the same import. */
async function begin(body: object, { keyOf, settle }: IdempotencyKeys): Promise<LeadImport> {
  const wish = JSON.stringify(body)
  const options = { method: 'POST', body, idempotencyKey: keyOf(wish) } as const
  const begun = await request(apiPath('admin', 'imports'), leadImportSchema, options)
  settle(wish)
  return begun
}

/** A failure is ignored: the server removes an import's rows after some days anyway. */
async function cancelQuietly(id: string): Promise<void> {
  const cancelled = request(apiPath('admin', 'imports', id, 'cancel'), leadImportSchema, { method: 'POST' })
  await cancelled.catch(() => undefined)
}
