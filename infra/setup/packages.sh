# shellcheck shell=bash
# System packages: engines, fonts, C toolchain, and independent tools for the tests. The engines' lists must equal those of
# infra/images/Dockerfile; a check compares them.

readonly MIN_LIBREOFFICE=24.8

readonly LIBREOFFICE=(
  libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui libreoffice-math-nogui
  # Without these two, documents with comments or equations fail to load.
  libreoffice-uiconfig-writer libreoffice-uiconfig-math
  libreofficekit-data
)
readonly FONTS=(
  fonts-liberation fonts-liberation2 fonts-crosextra-carlito fonts-crosextra-caladea fonts-dejavu-core
  fonts-noto-cjk fonts-noto-color-emoji fonts-noto-core fonts-open-sans fonts-opensymbol fonts-wqy-microhei
)
# The languages of domain::operation::LANGUAGES, the models of vertical text that they load, and the model for orientation
# and script detection (osd).
readonly TESSERACT=(
  tesseract-ocr
  tesseract-ocr-afr tesseract-ocr-amh tesseract-ocr-ara tesseract-ocr-asm tesseract-ocr-aze
  tesseract-ocr-aze-cyrl tesseract-ocr-bel tesseract-ocr-ben tesseract-ocr-bod tesseract-ocr-bos
  tesseract-ocr-bre tesseract-ocr-bul tesseract-ocr-cat tesseract-ocr-ceb tesseract-ocr-ces
  tesseract-ocr-chi-sim tesseract-ocr-chi-sim-vert tesseract-ocr-chi-tra tesseract-ocr-chi-tra-vert
  tesseract-ocr-chr tesseract-ocr-cos tesseract-ocr-cym tesseract-ocr-dan tesseract-ocr-deu tesseract-ocr-div
  tesseract-ocr-dzo tesseract-ocr-ell tesseract-ocr-eng tesseract-ocr-enm tesseract-ocr-epo tesseract-ocr-est
  tesseract-ocr-eus tesseract-ocr-fao tesseract-ocr-fas tesseract-ocr-fil tesseract-ocr-fin tesseract-ocr-fra
  tesseract-ocr-frk tesseract-ocr-frm tesseract-ocr-fry tesseract-ocr-gla tesseract-ocr-gle tesseract-ocr-glg
  tesseract-ocr-grc tesseract-ocr-guj tesseract-ocr-hat tesseract-ocr-heb tesseract-ocr-hin tesseract-ocr-hrv
  tesseract-ocr-hun tesseract-ocr-hye tesseract-ocr-iku tesseract-ocr-ind tesseract-ocr-isl tesseract-ocr-ita
  tesseract-ocr-ita-old tesseract-ocr-jav tesseract-ocr-jpn tesseract-ocr-jpn-vert tesseract-ocr-kan
  tesseract-ocr-kat tesseract-ocr-kat-old tesseract-ocr-kaz tesseract-ocr-khm tesseract-ocr-kir
  tesseract-ocr-kmr tesseract-ocr-kor tesseract-ocr-kor-vert tesseract-ocr-lao tesseract-ocr-lat
  tesseract-ocr-lav tesseract-ocr-lit tesseract-ocr-ltz tesseract-ocr-mal tesseract-ocr-mar tesseract-ocr-mkd
  tesseract-ocr-mlt tesseract-ocr-mon tesseract-ocr-mri tesseract-ocr-msa tesseract-ocr-mya tesseract-ocr-nep
  tesseract-ocr-nld tesseract-ocr-nor tesseract-ocr-oci tesseract-ocr-ori tesseract-ocr-osd tesseract-ocr-pan
  tesseract-ocr-pol tesseract-ocr-por tesseract-ocr-pus tesseract-ocr-que tesseract-ocr-ron tesseract-ocr-rus
  tesseract-ocr-san tesseract-ocr-sin tesseract-ocr-slk tesseract-ocr-slv tesseract-ocr-snd tesseract-ocr-spa
  tesseract-ocr-spa-old tesseract-ocr-sqi tesseract-ocr-srp tesseract-ocr-srp-latn tesseract-ocr-sun
  tesseract-ocr-swa tesseract-ocr-swe tesseract-ocr-syr tesseract-ocr-tam tesseract-ocr-tat tesseract-ocr-tel
  tesseract-ocr-tgk tesseract-ocr-tha tesseract-ocr-tir tesseract-ocr-ton tesseract-ocr-tur tesseract-ocr-uig
  tesseract-ocr-ukr tesseract-ocr-urd tesseract-ocr-uzb tesseract-ocr-uzb-cyrl tesseract-ocr-vie
  tesseract-ocr-yid tesseract-ocr-yor
)
readonly BROWSER=(chromium-headless-shell)
# Decodes HEIC.
readonly LIBHEIF=(libheif-examples)
# Writes PDF/A.
readonly GHOSTSCRIPT=(ghostscript)
readonly BUILD=(gcc g++ make cmake nasm pkg-config)
readonly TOOLS=(
  ca-certificates curl jq unzip procps python3 python3-venv poppler-utils qpdf shellcheck librsvg2-bin
)

# The tools to compare with in the benchmarks: unoserver needs python3-uno to control LibreOffice, opendataloader-pdf needs
# Java.
readonly PEERS=(default-jre-headless python3-uno)

system_packages() {
  local stamp missing
  stamp=$(stamp packages infra/setup/packages.sh)
  missing=$(missing_packages "${LIBREOFFICE[@]}" "${FONTS[@]}" "${TESSERACT[@]}" "${BROWSER[@]}" \
    "${LIBHEIF[@]}" "${GHOSTSCRIPT[@]}" "${BUILD[@]}" "${TOOLS[@]}")
  mapfile -t missing < <(printf '%s' "$missing")
  [[ -e $stamp && ${#missing[@]} -eq 0 ]] && return
  if [[ ${#missing[@]} -gt 0 ]] || ! new_enough "$(installed_libreoffice)"; then
    install_packages "${missing[@]}"
  fi
  new_enough "$(installed_libreoffice)" ||
    fail "LibreOffice $MIN_LIBREOFFICE or newer is required, but this machine has $(installed_libreoffice)"
  write_stamp "$stamp"
}

peers_packages() {
  local missing
  missing=$(missing_packages "${PEERS[@]}")
  mapfile -t missing < <(printf '%s' "$missing")
  [[ ${#missing[@]} -eq 0 ]] || install_packages "${missing[@]}"
}

# missing_packages NAME...: prints the packages that are not installed according to dpkg.
missing_packages() {
  command -v dpkg-query >/dev/null || fail "dpkg is missing: install these packages or equivalent ones yourself: $*"
  local installed
  # shellcheck disable=SC2016 # dpkg's own placeholders.
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | awk '$2 == "installed" { print $1 }') || true
  printf '%s\n' "$@" | grep -vxF -e "${installed:-/}" || true
}

installed_libreoffice() {
  # shellcheck disable=SC2016
  dpkg-query -W -f '${Version}' libreoffice-core-nogui 2>/dev/null | sed 's/^[0-9]*://' || true
}

# new_enough VERSION: succeeds if VERSION is at least the minimum version of LibreOffice.
new_enough() { [[ -n $1 ]] && dpkg --compare-versions "$1" ge "$MIN_LIBREOFFICE"; }

# install_packages NAME...: installs these, and upgrades LibreOffice if it is too old.
install_packages() {
  log "installing system packages: $*"
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

# install_libreoffice NAME...: installs these with all LibreOffice packages, because installed ones may be too old and all
# must have the same version. Uses the backports if they are configured, because installed packages may come from there.
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

# available_libreoffice: prints the version that apt would install by default.
available_libreoffice() {
  apt-cache policy libreoffice-core-nogui | awk '$1 == "Candidate:" { sub(/^[0-9]+:/, "", $2); print $2 }'
}

# shellcheck disable=SC1091
codename() (. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")

# use_backports: adds this release's backports to apt: a copy of the machine's Debian source with another suite.
use_backports() {
  local backports entry suite file
  backports=$(codename)-backports
  [[ -z $(debian_entry "$backports") ]] || return 0
  read -r entry suite <<<"$(debian_entry "$(codename)")"
  [[ -n $entry ]] || fail "apt has no Debian source from which to derive $backports, needed for LibreOffice $MIN_LIBREOFFICE"
  file=/etc/apt/sources.list.d/octavo-backports.${entry##*.}
  log "adding $backports to apt in $file, derived from $suite in $entry"
  backports_source "$entry" "$suite" "$backports" | as_root tee "$file" >/dev/null
  apt_update
}

# debian_entry CODENAME: prints the apt source file that contains this Debian release, and its name for the suite.
debian_entry() {
  # shellcheck disable=SC2016 # apt's own placeholders.
  apt-get indextargets --format '$(SOURCESENTRY) $(RELEASE) $(ORIGIN)' 'Created-By: Packages' "Codename: $1" |
    sed -nE 's/:[0-9]+ ([^ ]+) Debian( Backports)?$/ \1/p' | head -n 1
}

# backports_source FILE SUITE BACKPORTS: prints the entry for SUITE of an apt source (either format), changed to BACKPORTS.
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
