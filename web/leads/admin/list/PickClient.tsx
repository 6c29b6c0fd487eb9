import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PickOne } from '#web/components/admin/PickOne.tsx'
import { useDebounced } from '#web/hooks/use-debounced.ts'
import { clientQuery, clientsQuery } from '#web/market/admin-client-queries.ts'

const DEBOUNCE_MS = 180
const MOST = 20

export interface PickClientProps {
  /** user id; empty for none */
  client: string
  onChoose: (client: string) => void
  className?: string
}

/** Chooses a client by a part of its business, name or address. */
export function PickClient({ client, onChoose, className }: PickClientProps) {
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), DEBOUNCE_MS)
  const found = useInfiniteQuery(clientsQuery({ search, status: '' }))
  const chosen = useQuery({ ...clientQuery(client), enabled: client !== '' })
  const rows = found.data?.pages[0]?.data ?? []
  return (
    <PickOne
      label="Client"
      className={className ?? 'block w-full sm:w-44'}
      chosen={client === '' ? undefined : chosen.data === undefined ? 'One client' : chosen.data.display_name}
      text={text}
      onText={setText}
      onChoose={onChoose}
      options={rows.slice(0, MOST).map((row) => ({ value: row.user_id, label: row.display_name }))}
    />
  )
}
