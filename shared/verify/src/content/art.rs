//! Reads records of [MS-PPT] and of drawings in binary documents [MS-ODRAW]: shapes, and which pictures are raster images.

use super::bytes::Bytes as _;

/// A record.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) kind: u16,
    pub(super) instance: u16,
    pub(super) is_container: bool,
    /// The content, without what is missing at the end of the data.
    pub(super) data: &'a [u8],
}

/// A shape.
pub(super) struct Shape<'a> {
    is_picture: bool,
    flags: u32,
    /// Number of the image, from 1.
    image: Option<usize>,
    pub(super) is_hidden: bool,
    /// The records of the shape.
    pub(super) data: &'a [u8],
}

/// Whether each image of a document is a raster image.
pub(super) type Images = Vec<bool>;

const BLIP_STORE: u16 = 0xf001;
const SHAPE: u16 = 0xf004;
const BLIP_ENTRY: u16 = 0xf007;
const SHAPE_RECORD: u16 = 0xf00a;
const PROPERTIES: u16 = 0xf00b;

/// The shape type of pictures.
const PICTURE_FRAME: u16 = 75;
const IS_DELETED: u32 = 1 << 3;
const IS_OLE_OBJECT: u32 = 1 << 4;

/// Maximum depth of containers.
const MAX_DEPTH: u32 = 32;

/// The records of a container.
pub(super) fn records(mut bytes: &[u8]) -> impl Iterator<Item = Record<'_>> {
    std::iter::from_fn(move || {
        let version = bytes.u16_at(0)?;
        let kind = bytes.u16_at(2)?;
        let len = bytes.usize_at(4)?;
        let rest = bytes.get(8..)?;
        let (data, following) = rest.split_at_checked(len).unwrap_or((rest, &[]));
        bytes = following;
        Some(Record {
            kind,
            instance: version >> 4,
            is_container: version & 0xf == 0xf,
            data,
        })
    })
}

/// Reads which images in the drawing group of a document are raster images.
pub(super) fn images(drawing_group: &[u8]) -> Images {
    let store = records(drawing_group).find(|record| record.kind == BLIP_STORE);
    let entries = records(store.map_or(&[], |store| store.data));
    entries.map(|entry| is_raster_image(&entry)).collect()
}

/// Whether a record is a raster image: JPEG, PNG, bitmap or TIFF, not a metafile.
pub(super) fn is_raster_image(record: &Record<'_>) -> bool {
    match record.kind {
        BLIP_ENTRY => matches!(record.data.first(), Some(5..=7 | 0x11 | 0x12)),
        kind => matches!(kind, 0xf01d..=0xf01f | 0xf029 | 0xf02a),
    }
}

/// Calls `take` with each shape of a drawing, those of groups included.
pub(super) fn shapes<'a>(drawing: &'a [u8], take: &mut dyn FnMut(&Shape<'a>)) {
    walk(drawing, 0, take);
}

fn walk<'a>(container: &'a [u8], depth: u32, take: &mut dyn FnMut(&Shape<'a>)) {
    for record in records(container) {
        match record.kind {
            SHAPE => take(&Shape::read(record.data)),
            _ if record.is_container && depth < MAX_DEPTH => walk(record.data, depth + 1, take),
            _ => {}
        }
    }
}

/// The number of visible raster images in a drawing.
pub(super) fn count_images(drawing: &[u8], images: &Images) -> usize {
    let mut count = 0;
    shapes(drawing, &mut |shape| {
        count += usize::from(shape.is_image(images));
    });
    count
}

impl<'a> Shape<'a> {
    fn read(data: &'a [u8]) -> Self {
        let mut shape = Self {
            is_picture: false,
            flags: 0,
            image: None,
            is_hidden: false,
            data,
        };
        for record in records(data) {
            match record.kind {
                SHAPE_RECORD => {
                    shape.is_picture = record.instance == PICTURE_FRAME;
                    shape.flags = record.data.u32_at(4).unwrap_or(0);
                }
                PROPERTIES => shape.properties(&record),
                _ => {}
            }
        }
        shape.is_hidden |= shape.flags & IS_DELETED != 0;
        shape
    }

    fn properties(&mut self, record: &Record<'_>) {
        let properties = record.data.chunks_exact(6);
        for property in properties.take(usize::from(record.instance)) {
            let (id, value) = (property.u16_at(0), property.u32_at(2).unwrap_or(0));
            match id.map(|id| id & 0x3fff) {
                Some(0x104) => self.image = usize::try_from(value).ok(),
                // fHidden and fUsefHidden
                Some(0x3bf) => self.is_hidden |= value & 0x2_0002 == 0x2_0002,
                _ => {}
            }
        }
    }

    /// Whether the shape is a visible raster image.
    pub(super) fn is_image(&self, images: &Images) -> bool {
        let index = self.image.and_then(|number| number.checked_sub(1));
        let is_raster = index.and_then(|index| images.get(index)).copied();
        self.is_picture
            && !self.is_hidden
            && self.flags & IS_OLE_OBJECT == 0
            && is_raster.unwrap_or(false)
    }
}
