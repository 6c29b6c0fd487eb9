import { Select } from '#web/ui/form/Select.tsx'
import { Listing } from '../components/admin/Listing.tsx'
import { fieldOptions } from './import-words.ts'

/** Lists the columns, each with a sample cell and the lead field it becomes. */
export function ColumnTable({
  columns,
  sample,
  mapping,
  onMap,
}: {
  columns: readonly string[]
  /** the cells of the first row */
  sample: readonly string[]
  mapping: readonly string[]
  onMap: (index: number, field: string) => void
}) {
  const items = columns.map((name, index) => ({
    name,
    index,
    cell: sample[index] ?? '',
    field: mapping[index] ?? '',
  }))
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <Listing
        label="Columns"
        items={items}
        keyOf={({ index }) => String(index)}
        columns={[
          { header: 'Column', render: ({ name }) => <span className="break-words">{name}</span> },
          {
            header: 'First row',
            part: 'note',
            render: ({ cell }) =>
              cell === '' ? (
                <span className="text-faint">Empty</span>
              ) : (
                <span className="line-clamp-2 break-all">{cell.slice(0, 200)}</span>
              ),
          },
          {
            header: 'Becomes',
            part: 'note',
            render: ({ name, index, field }) => (
              <Select
                aria-label={`What ${name} becomes`}
                value={field}
                onValueChange={(next) => onMap(index, next)}
                options={fieldOptions(name, field)}
                className="min-w-44"
              />
            ),
          },
        ]}
      />
    </div>
  )
}
