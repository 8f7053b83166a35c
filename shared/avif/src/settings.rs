//! rav1e settings, chosen by measured size and time at equal SSIMULACRA2, because its presets target video.

use rav1e::prelude::{
    BlockSize, PartitionRange, PredictionModesSetting, SceneDetectionSpeed, SpeedSettings,
};

/// Pixels up to which transform sizes and types are searched by rate-distortion, which doubles the time.
const THOROUGH: u64 = 4_000_000;
/// Pixels up to which all directional intra-prediction modes are tried.
const USUAL: u64 = 12_000_000;
/// Pixels up to which 8×8 blocks are tried.
const QUICK: u64 = 24_000_000;

/// Returns the speed settings for an image of `pixels` pixels. In-loop filters (CDEF, loop restoration) are
/// disabled, because their gain is not worth the CPU time.
pub(super) fn speed(pixels: u64) -> SpeedSettings {
    let (preset, blocks) = if pixels <= USUAL {
        (6, (BlockSize::BLOCK_8X8, BlockSize::BLOCK_32X32))
    } else if pixels <= QUICK {
        (8, (BlockSize::BLOCK_8X8, BlockSize::BLOCK_16X16))
    } else {
        (10, (BlockSize::BLOCK_16X16, BlockSize::BLOCK_16X16))
    };
    let mut settings = SpeedSettings::from_preset(preset);
    settings.partition.partition_range = PartitionRange::new(blocks.0, blocks.1);
    settings.prediction.prediction_modes = PredictionModesSetting::Simple;
    settings.prediction.fine_directional_intra = pixels <= USUAL;
    settings.transform.rdo_tx_decision = pixels <= THOROUGH;
    settings.transform.tx_domain_rate = pixels > QUICK;
    settings.cdef = false;
    settings.lrf = false;
    // A still image is a single frame.
    settings.multiref = false;
    settings.rdo_lookahead_frames = 1;
    settings.scene_detection_mode = SceneDetectionSpeed::None;
    settings.motion.include_near_mvs = false;
    settings.motion.use_satd_subpel = false;
    settings
}

/// Returns the AV1 quantizer for a quality in percent: 255 is coarsest, 0 lossless. Uses the curve of ravif.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a fraction of 255"
)]
pub(super) fn quantizer(quality: u8) -> u8 {
    let share = f32::from(quality.clamp(1, 100)) / 100.0;
    let coarse = match share {
        0.82.. => (1.0 - share) * 2.6,
        0.25.. => 0.875 - share * 0.5,
        _ => 1.0 - share,
    };
    (coarse * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_quality_lowers_the_quantizer() {
        let quantizers: Vec<u8> = (1..=100).map(quantizer).collect();
        assert!(quantizers.is_sorted_by(|one, next| one >= next));
        assert_eq!([1, 50, 80, 90, 100].map(quantizer), [252, 159, 121, 66, 0]);
    }
}
