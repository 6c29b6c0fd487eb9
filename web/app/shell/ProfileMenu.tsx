import { useQuery } from '@tanstack/react-query'
import { LogOut, Monitor, Moon, Settings, Sun, UserRound } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { meQuery } from '#web/api/me.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { PATHS, settingsPath } from '#web/paths.ts'
import { useTheme } from '../use-theme.ts'
import { Menu } from '#web/ui/overlay/Menu.tsx'
import { MenuItem, MenuSeparator } from '#web/ui/overlay/MenuItem.tsx'
import { MenuRadioGroup } from '#web/ui/overlay/MenuGroups.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'

const THEME_OPTIONS = [
  { value: 'system', label: 'Like the system', icon: <Monitor aria-hidden /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
] as const

export function ProfileMenu() {
  const { user, signOut } = useAuth()
  const me = useQuery(meQuery)
  const navigate = useNavigate()
  const [theme, changeTheme] = useTheme()
  const email = me.data?.email ?? user?.email ?? ''
  const name = me.data?.name ?? ''
  const shown = name === '' ? email : name

  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label="Profile"
          className="flex size-9 items-center justify-center rounded-lg hover:bg-hover data-popup-open:bg-hover"
        >
          <span className="flex size-7 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-strong uppercase">
            {shown.charAt(0)}
          </span>
        </button>
      }
    >
      <div className="max-w-64 px-2 py-1.5">
        {/* Two lines from the start, so that the items below do not move under the pointer when the name arrives. */}
        <div className="flex h-5 items-center">
          {me.isPending ? (
            <Skeleton className="h-3 w-24" />
          ) : (
            <p className="truncate text-sm font-medium" title={shown}>
              {shown}
            </p>
          )}
        </div>
        <p className="h-4 truncate text-xs text-muted" title={email}>
          {shown === email && !me.isPending ? '' : email}
        </p>
      </div>
      <MenuSeparator />
      <MenuItem icon={<UserRound aria-hidden />} onSelect={() => void navigate(settingsPath('profile'))}>
        Profile
      </MenuItem>
      <MenuItem icon={<Settings aria-hidden />} onSelect={() => void navigate(PATHS.settings)}>
        Settings
      </MenuItem>
      <MenuSeparator />
      <MenuRadioGroup label="Theme" value={theme} onValueChange={changeTheme} options={THEME_OPTIONS} />
      <MenuSeparator />
      {/* RequireAuth goes to / when it sees the session end. */}
      <MenuItem asks icon={<LogOut aria-hidden />} onSelect={() => void signOut()}>
        Sign Out
      </MenuItem>
    </Menu>
  )
}
