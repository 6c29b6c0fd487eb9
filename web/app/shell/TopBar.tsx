import { Bell, Menu as MenuIcon } from 'lucide-react'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { Popover } from '#web/ui/overlay/Popover.tsx'
import { LeadSearch } from '#web/components/LeadSearch.tsx'
import { PaletteKeys } from './palette/PaletteKeys.tsx'
import { ProfileMenu } from './ProfileMenu.tsx'

export function TopBar({ onOpenMenu }: { onOpenMenu: () => void }) {
  return (
    <header className="sticky top-0 z-30 flex h-14 shrink-0 items-center gap-2 border-b border-line bg-surface px-2 sm:px-4 lg:px-6 print:hidden">
      <IconButton label="Open menu" icon={<MenuIcon />} onClick={onOpenMenu} className="md:hidden" />
      <LeadSearch />
      <PaletteKeys />
      <div className="ml-auto flex items-center gap-1">
        {/* The list is always empty (docs/product.md §2), so there is no dot. */}
        <Popover trigger={<IconButton label="Notifications" icon={<Bell />} />} title="Notifications">
          <p className="px-4 py-8 text-center text-sm text-muted">No notifications</p>
        </Popover>
        <ProfileMenu />
      </div>
    </header>
  )
}
