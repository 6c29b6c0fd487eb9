export interface HeaderListProps {
  title: string
  headers: Readonly<Record<string, string>> | undefined
}

export function HeaderList({ title, headers }: HeaderListProps) {
  const rows = Object.entries(headers ?? {})
  return (
    <section className="min-w-0">
      <h3 className="text-sm font-medium">{title}</h3>
      {rows.length === 0 ? (
        <p className="mt-2 text-sm text-muted">None</p>
      ) : (
        <dl className="mt-2 rounded-lg border border-line font-mono text-xs leading-5">
          {rows.map(([name, value]) => (
            <div
              key={name}
              className="gap-4 border-line px-3 py-1.5 not-first:border-t sm:grid sm:grid-cols-[11rem_minmax(0,1fr)]"
            >
              <dt className="break-all text-muted">{name}</dt>
              <dd className="break-all">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
