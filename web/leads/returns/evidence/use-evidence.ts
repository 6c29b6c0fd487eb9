import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { EVIDENCE_LIMITS } from '#core/contract/market/return-evidence.ts'
import { meQuery } from '#web/api/me.ts'
import { judgeFile } from './judge-file.ts'
import { removeEvidence, sendEvidence, UploadError } from './send-evidence.ts'

/** A chosen file: on its way, stored, failed (may be tried again), or refused. */
export interface Upload {
  key: string
  file: File
  /** in the bucket */
  path: string
  state: 'sending' | 'stored' | 'failed' | 'refused'
  /** bytes */
  sent: number
  /** once it is stored */
  id?: string
  /** why it failed or was refused */
  message?: string | undefined
}

/**
 * The files of one return, from choosing to storing. They stay until the return is requested, also if that fails; the
 * server removes those that were never sent with a return.
 */
export function useEvidence(leadId: string) {
  const me = useQuery(meQuery).data
  const mayStore = me?.is_approved ?? true
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [leftOut, setLeftOut] = useState(0)
  const [added, setAdded] = useState(0)
  const stops = useRef(new Map<string, AbortController>())
  useEffect(() => {
    const { current } = stops
    return () => {
      for (const stop of current.values()) stop.abort()
    }
  }, [])

  const change = (key: string, to: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...to } : one)))

  const send = async ({ key, file, path }: Upload) => {
    const stop = new AbortController()
    stops.current.set(key, stop)
    try {
      const id = await sendEvidence(file, path, (sent) => change(key, { sent }), stop.signal)
      change(key, { id, state: 'stored', message: undefined })
    } catch (error) {
      if (stop.signal.aborted) return
      const isRefused = error instanceof UploadError && error.isRefusal
      const message = error instanceof UploadError ? error.message : 'The upload failed.'
      change(key, { message, state: isRefused ? 'refused' : 'failed' })
    }
  }

  const add = (files: readonly File[]) => {
    if (!mayStore) return
    setAdded((count) => count + 1)
    const room = EVIDENCE_LIMITS.files - uploads.filter(({ state }) => state !== 'refused').length
    const begun = files.map((file) => begin(file, `${me?.account_id ?? me?.user_id ?? ''}/${leadId}`))
    const good = begun.filter(({ state }) => state !== 'refused')
    const taken = good.slice(0, room)
    setLeftOut(good.length - taken.length)
    setUploads((all) => [...all, ...begun.filter((one) => one.state === 'refused' || taken.includes(one))])
    for (const one of taken) void send(one)
  }

  return {
    uploads,
    /** false until an administrator has approved the account */
    mayStore,
    /** how often files were chosen */
    added,
    /** number of files that were chosen beyond the limit the last time */
    leftOut,
    ids: uploads.flatMap(({ id }) => id ?? []),
    isSending: uploads.some(({ state }) => state === 'sending'),
    hasFailed: uploads.some(({ state }) => state === 'failed'),
    add,
    retry: (upload: Upload) => {
      change(upload.key, { state: 'sending', sent: 0, message: undefined })
      void send(upload)
    },
    remove: ({ key, path, state }: Upload) => {
      stops.current.get(key)?.abort()
      setLeftOut(0)
      setUploads((all) => all.filter((one) => one.key !== key))
      if (state === 'stored') void removeEvidence(path)
    },
  }
}

/** The name in the bucket tells nothing about the person: names of files stand in logs of proxies. */
function begin(file: File, folder: string): Upload {
  const key = crypto.randomUUID()
  const message = judgeFile(file)
  const ending = /\.[a-z0-9]{1,8}$/i.exec(file.name)?.[0].toLowerCase() ?? ''
  const path = `${folder}/${key}${ending}`
  return message === undefined
    ? { key, file, path, state: 'sending', sent: 0 }
    : { key, file, path, state: 'refused', sent: 0, message }
}
