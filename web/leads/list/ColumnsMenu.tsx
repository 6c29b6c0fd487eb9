import { Columns3 } from 'lucide-react'
import { Button } from '../../ui/action/Button.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { MenuCheckGroup } from '../../ui/overlay/MenuGroups.tsx'
import { LEAD_COLUMNS, type LeadColumn } from './use-lead-columns.ts'

export interface ColumnsMenuProps {
  shown: readonly LeadColumn[]
  onToggle: (column: LeadColumn) => void
}

export function ColumnsMenu({ shown, onToggle }: ColumnsMenuProps) {
  return (
    <Menu trigger={<Button icon={<Columns3 aria-hidden className="size-4" />}>Columns</Button>}>
      <MenuCheckGroup
        label="Shown beside the name"
        values={shown}
        onToggle={onToggle}
        options={LEAD_COLUMNS.map(({ id, label }) => ({ value: id, label }))}
      />
    </Menu>
  )
}
