// These run before any other module, because they change the console and the storages.
import '#web/app/silence-console.ts'
import '#web/app/keep-storage.ts'
import '../site.css'
import { securePage } from '#web/app/page-security.ts'
import { addCopyButtons } from './add-copy-buttons.ts'
import { closeMenus } from './close-menus.ts'
import { keepShell } from './keep-shell.ts'
import { nameMissing } from './name-missing.ts'
import { passLanding } from './pass-landing.ts'
import { showCurrent } from './show-current.ts'
import { showNotice } from './show-notice.ts'

passLanding()
securePage(document)
showNotice()
nameMissing()
void keepShell()
closeMenus()
showCurrent()
addCopyButtons()
