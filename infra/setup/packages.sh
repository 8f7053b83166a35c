# shellcheck shell=bash
# System packages: engines and their fonts, a C toolchain for the build, second tools for the tests. The engines' lists
# are those of infra/images/Dockerfile; a check compares them.

readonly LEAST_LIBREOFFICE=24.8

readonly LIBREOFFICE=(
  libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui libreoffice-math-nogui
  # Without these two, a document with comments and one with equations fail to load.
  libreoffice-uiconfig-writer libreoffice-uiconfig-math
  libreofficekit-data
)
readonly FONTS=(
  fonts-liberation fonts-liberation2 fonts-crosextra-carlito fonts-crosextra-caladea fonts-dejavu-core
  fonts-noto-core fonts-open-sans fonts-opensymbol fonts-wqy-microhei
)
# The languages of domain::operation::LANGUAGES, and the model that finds out which way up a page is.
readonly TESSERACT=(
  tesseract-ocr
  tesseract-ocr-ara tesseract-ocr-ces tesseract-ocr-chi-sim tesseract-ocr-chi-tra tesseract-ocr-dan tesseract-ocr-deu
  tesseract-ocr-ell tesseract-ocr-eng tesseract-ocr-fin tesseract-ocr-fra tesseract-ocr-ita tesseract-ocr-jpn
  tesseract-ocr-kor tesseract-ocr-nld tesseract-ocr-nor tesseract-ocr-osd tesseract-ocr-pol tesseract-ocr-por
  tesseract-ocr-rus tesseract-ocr-spa tesseract-ocr-swe tesseract-ocr-tur tesseract-ocr-ukr
)
readonly BROWSER=(chromium-headless-shell)
# Decodes HEIC.
readonly LIBHEIF=(libheif-examples)
readonly BUILD=(gcc g++ make cmake nasm pkg-config)
readonly TOOLS=(
  ca-certificates curl jq unzip procps python3 python3-venv poppler-utils qpdf shellcheck librsvg2-bin
)

# What the benchmark compares with; python3-uno is the interface that unoserver drives LibreOffice through.
readonly PEERS=(ghostscript python3-uno)

system_packages() {
  local stamp missing
  stamp=$(stamp packages infra/setup/packages.sh)
  mapfile -t missing < <(missing_packages "${LIBREOFFICE[@]}" "${FONTS[@]}" "${TESSERACT[@]}" "${BROWSER[@]}" \
    "${LIBHEIF[@]}" "${BUILD[@]}" "${TOOLS[@]}")
  wait "$!" # A failure in there ends the set-up only so.
  [[ -e $stamp && ${#missing[@]} -eq 0 ]] && return
  if [[ ${#missing[@]} -gt 0 ]] || ! new_enough "$(installed_libreoffice)"; then
    install_packages "${missing[@]}"
  fi
  new_enough "$(installed_libreoffice)" ||
    fail "LibreOffice $LEAST_LIBREOFFICE or newer is needed, this machine has $(installed_libreoffice)"
  write_stamp "$stamp"
}

peers_packages() {
  local missing
  mapfile -t missing < <(missing_packages "${PEERS[@]}")
  wait "$!" # A failure in there ends the set-up only so.
  [[ ${#missing[@]} -eq 0 ]] || install_packages "${missing[@]}"
}

# missing_packages NAME...: those that dpkg does not hold as installed.
missing_packages() {
  command -v dpkg-query >/dev/null || fail "no dpkg here: install these (or their like) yourself: $*"
  local installed
  # shellcheck disable=SC2016 # dpkg's own placeholders.
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | awk '$2 == "installed" { print $1 }') || true
  printf '%s\n' "$@" | grep -vxF -e "${installed:-/}" || true
}

installed_libreoffice() {
  # shellcheck disable=SC2016
  dpkg-query -W -f '${Version}' libreoffice-core-nogui 2>/dev/null | sed 's/^[0-9]*://' || true
}

# new_enough VERSION: is it LibreOffice's least version or newer?
new_enough() { [[ -n $1 ]] && dpkg --compare-versions "$1" ge "$LEAST_LIBREOFFICE"; }

# install_packages NAME...: these, and LibreOffice if it is too old.
install_packages() {
  say "system packages to install: $*"
  apt_update
  local libreoffice=() others=() name
  for name in "$@"; do
    case $name in
      libreoffice* | python3-uno) libreoffice+=("$name") ;;
      *) others+=("$name") ;;
    esac
  done
  [[ ${#others[@]} -eq 0 ]] || apt_install "${others[@]}"
  if [[ ${#libreoffice[@]} -gt 0 ]] || ! new_enough "$(installed_libreoffice)"; then
    install_libreoffice "${libreoffice[@]}"
  fi
}

# install_libreoffice NAME...: these with all of LibreOffice, even if some of it is there: that may be too old, and all
# of it has to be of one version. What is there may be of the backports, so whatever comes to it is taken from there too.
install_libreoffice() {
  local release=()
  new_enough "$(available_libreoffice)" || use_backports
  [[ -z $(debian_entry "$(codename)-backports") ]] || release=(-t "$(codename)-backports")
  apt_install "${release[@]}" "${LIBREOFFICE[@]}" "$@"
}

apt_update() { as_root apt-get update -q -o Dpkg::Use-Pty=0 >/dev/null; }

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-unsafe-io "$@" >"$STATE/packages.log" 2>&1 ||
    fail "apt-get could not install $*: $(tail -n 5 "$STATE/packages.log")"
}

# The version that a plain installation would take.
available_libreoffice() {
  apt-cache policy libreoffice-core-nogui | awk '$1 == "Candidate:" { sub(/^[0-9]+:/, "", $2); print $2 }'
}

# shellcheck disable=SC1091
codename() (. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")

# Adds this release's backports: the machine's own entry for Debian with only the suite changed.
use_backports() {
  local backports entry suite file
  backports=$(codename)-backports
  [[ -z $(debian_entry "$backports") ]] || return 0
  read -r entry suite <<<"$(debian_entry "$(codename)")"
  [[ -n $entry ]] || fail "no Debian source here to take $backports from, for LibreOffice $LEAST_LIBREOFFICE or newer"
  file=/etc/apt/sources.list.d/octavo-backports.${entry##*.}
  say "adding $backports to apt, as $entry has $suite: $file"
  backports_source "$entry" "$suite" "$backports" | as_root tee "$file" >/dev/null
  apt_update
}

# debian_entry CODENAME: file that has this release of Debian itself as a source, and the name that it gives the suite.
debian_entry() {
  # shellcheck disable=SC2016 # apt's own placeholders.
  apt-get indextargets --format '$(SOURCESENTRY) $(RELEASE) $(ORIGIN)' 'Created-By: Packages' "Codename: $1" |
    sed -nE 's/:[0-9]+ ([^ ]+) Debian( Backports)?$/ \1/p' | head -n 1
}

# backports_source FILE SUITE BACKPORTS: the entry for SUITE in an apt source of either format, for BACKPORTS.
backports_source() {
  if [[ $1 == *.sources ]]; then
    awk -v suite="$2" -v backports="$3" 'BEGIN { RS = ""; FS = "\n" }
      $0 ~ "(^|\n)Suites:([^\n]* )?" suite "( |\n|$)" && $0 !~ /(^|\n)Enabled: *no/ {
        for (i = 1; i <= NF; i++) {
          if ($i ~ /^Types:/) print "Types: deb"
          else if ($i ~ /^Suites:/) print "Suites: " backports
          else if ($i ~ /^Components:/) print "Components: main"
          else if ($i !~ /^#/) print $i
        }
        exit
      }' "$1"
  else
    sed -nE "s/^deb[[:space:]]+((\[[^]]*\][[:space:]]+)?[^[:space:]]+)[[:space:]]+$2[[:space:]].*/deb \1 $3 main/p" "$1" |
      head -n 1
  fi
}
